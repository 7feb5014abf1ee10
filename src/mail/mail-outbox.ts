import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import type { Prepared, Queryable } from '../infra/database/database.js';
import { SecretBox } from '../infra/sealing/secret-box.js';
import { newId } from '../kernel/ids.js';
import { type Letter, renderLetter } from './letter.js';
import type { MailKind } from './mail-kinds.js';

/** Notified at the commit of a transaction that wrote an email. */
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
  /** Whom the mail concerns: it is deleted with this account. Null: nobody who has an account. */
  readonly accountId: string | null;
  /** Null: nobody gets it, but writing it takes the same work, so that a response does not reveal who has an account. */
  readonly to: string | null;
  readonly letter: Letter;
  /** Not sent after this time, for example because its link has expired. */
  readonly expiresAt?: Date;
}

/**
 * Mails to send. A mail is written in the transaction of what causes it, and a dispatcher sends it after the commit, at
 * least once. The content is sealed, since it may contain a link that signs somebody in.
 */
@Injectable()
export class MailOutbox {
  constructor(
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Whether email is sent: `SMTP_FROM` is set. */
  get isOn(): boolean {
    return this.config.smtpFrom !== undefined;
  }

  /** Does nothing when email is off. @returns the id of the mail; null when email is off */
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
