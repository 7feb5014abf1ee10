import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import type { Prepared, Queryable } from '../infra/database/database.js';
import { SecretBox } from '../infra/sealing/secret-box.js';
import { newId } from '../kernel/ids.js';
import { type Letter, renderLetter } from './letter.js';
import type { MailKind } from './mail-kinds.js';
import { mailLimits, UNVERIFIED_NOTICES_PER_DAY } from './mail-limits.js';

/** The channel that is notified when a transaction that wrote an email commits. */
export const MAIL_CHANNEL = 'mails_due';

const INSERT: Prepared = {
  name: 'mails_insert',
  text: `WITH made AS (
           INSERT INTO mails (id, account_id, kind, recipient, sealed_content, status, due_at, ended_at, expires_at)
           SELECT $1, $2, $3, $4::text, CASE WHEN $4::text IS NOT NULL THEN $5::bytea END,
                  CASE WHEN $4::text IS NULL THEN 'discarded' ELSE 'pending' END,
                  CASE WHEN $4::text IS NOT NULL THEN now() + $6::float8 * interval '1 millisecond' END,
                  CASE WHEN $4::text IS NULL THEN now() END, $7::timestamptz
           RETURNING id)
         SELECT pg_notify('${MAIL_CHANNEL}', '') FROM made`,
};

export interface OutgoingMail {
  readonly kind: MailKind;
  /** The account that the mail concerns. The mail is deleted with it. Null for a recipient without an account. */
  readonly accountId: string | null;
  /**
   * Null for no recipient. Writing the mail takes the same work, so that a response does not reveal who has an account.
   */
  readonly to: string | null;
  readonly letter: Letter;
  /** The mail is not sent after this time, for example because its link has expired. */
  readonly expiresAt?: Date;
}

/**
 * Mails to send. A mail is written in the transaction of the change that causes it. After the commit, a dispatcher
 * sends it at least once. The content is sealed, because it may contain a sign-in link.
 */
@Injectable()
export class MailOutbox {
  private readonly logger = new Logger('mail');

  constructor(
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Whether email is sent: `SMTP_FROM` is set. */
  get isOn(): boolean {
    return this.config.smtpFrom !== undefined;
  }

  /** Writes a notice, unless its recipient got too many. Does nothing when email is off. */
  async notify(tx: Queryable, notice: OutgoingMail & { readonly to: string }): Promise<void> {
    if (!this.isOn) return;
    const { kind, to } = notice;
    const { allowed } = await mailLimits.take(tx, kind, to, UNVERIFIED_NOTICES_PER_DAY);
    if (allowed) await this.enqueue(tx, notice);
    else
      this.logger.warn(
        { kind, accountId: notice.accountId },
        'a notice was not sent: its recipient got too many',
      );
  }

  /** Does nothing when email is off. The caller limits such emails. @returns the id of the mail; null when email is off */
  async enqueue(
    tx: Queryable,
    { kind, accountId, to, letter, expiresAt }: OutgoingMail,
  ): Promise<string | null> {
    if (!this.isOn) return null;
    const id = newId('mail');
    const content = JSON.stringify(renderLetter(letter, this.config.publicUrl));
    const [firstDelayMs] = this.config.mailRetryDelaysMs;
    const sealed = this.box.seal(content, id);
    await tx.query(INSERT, [id, accountId, kind, to, sealed, firstDelayMs, expiresAt ?? null]);
    return id;
  }
}
