import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import type { MailBacklog } from '../../infra/telemetry/dispatcher/mail-metrics.js';
import type { ClaimedMail } from './claimed-mail.js';
import type { MailSettlement } from './mail-settlement.js';

/**
 * Two dispatchers never claim the same rows. `due_at` becomes the end of the lease. $1: maximum number; $2: lease in
 * ms.
 */
const CLAIM: Prepared = {
  name: 'mails_claim',
  text: `UPDATE mails m SET claims = m.claims + 1, due_at = now() + $2::float8 * interval '1 millisecond'
          WHERE m.id = ANY (ARRAY(
                  SELECT id FROM mails WHERE status = 'pending' AND due_at <= now()
                   ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
         RETURNING m.id, m.claims AS claim, m.kind, m.recipient AS "to", m.sealed_content AS "sealedContent",
                   m.attempts, coalesce(m.expires_at <= now(), false) AS "isExpired", m.created_at AS "createdAt"`,
};

/** Only the holder of the claim may write. When a mail has ended, its content is deleted. */
const RECORD: Prepared = {
  name: 'mails_record',
  text: `UPDATE mails SET status = $3, attempts = attempts + $4::int, error = $5,
                due_at = CASE WHEN $3 = 'pending' THEN now() + $6::float8 * interval '1 millisecond' END,
                ended_at = CASE WHEN $3 <> 'pending' THEN now() END,
                sealed_content = CASE WHEN $3 = 'pending' THEN sealed_content END
          WHERE id = $1 AND claims = $2 AND status = 'pending' RETURNING id`,
};

const NEXT_DUE: Prepared = {
  name: 'mails_next_due',
  text: `SELECT extract(epoch FROM due_at - now())::float8 * 1000 AS "dueInMs" FROM mails
          WHERE status = 'pending' ORDER BY due_at LIMIT 1`,
};

/** Counts are capped at this value, so that a scrape stays cheap. */
const MAX_COUNTED = 100_000;

const BACKLOG: Prepared = {
  name: 'mails_backlog',
  text: `WITH waiting AS MATERIALIZED (
           SELECT due_at FROM mails WHERE status = 'pending' ORDER BY due_at LIMIT ${MAX_COUNTED})
         SELECT count(*)::float8 AS waiting,
                coalesce(greatest(0, extract(epoch FROM now() - min(due_at))), 0)::float8 AS "oldestDueSeconds"
           FROM waiting`,
};

/** The outbox, as a dispatcher sees it. If a claim gets no result before it expires, the mail is due again. */
@Injectable()
export class MailsRepository {
  constructor(private readonly database: Database) {}

  async claim(most: number, leaseMs: number): Promise<ClaimedMail[]> {
    return this.database.query<ClaimedMail>(CLAIM, [most, leaseMs]);
  }

  /**
   * @returns whether the result was stored: false when another dispatcher has claimed the mail, or its account was
   *   deleted
   */
  async record({ id, claim }: ClaimedMail, settlement: MailSettlement): Promise<boolean> {
    const { status, wasAttempted, error, nextInMs } = settlement;
    const values = [id, claim, status, wasAttempted ? 1 : 0, error, nextInMs];
    return (await this.database.query(RECORD, values)).length > 0;
  }

  /** Milliseconds until the next mail is due; undefined if there is none. */
  async nextDueInMs(): Promise<number | undefined> {
    return (await this.database.query<{ dueInMs: number }>(NEXT_DUE))[0]?.dueInMs;
  }

  async backlog(): Promise<MailBacklog> {
    return (await this.database.query<MailBacklog>(BACKLOG))[0]!;
  }
}
