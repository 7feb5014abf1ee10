import type { Prepared, Queryable } from '../../infra/database/database.js';
import { discardMails } from '../../mail/discard-mails.js';
import { VERIFICATION_TTL_SECONDS } from '../verification/email-verifications.repository.js';

const INSERT: Prepared = {
  name: 'email_change_insert',
  text: `INSERT INTO email_changes (account_id, email, token_hash, mail_id, expires_at)
         VALUES ($1, $2, $3, $4, now() + ${VERIFICATION_TTL_SECONDS} * interval '1 second')`,
};

const FIND: Prepared = {
  name: 'email_change_find',
  text: `SELECT account_id AS "accountId", email, expires_at AS "expiresAt" FROM email_changes WHERE token_hash = $1 AND expires_at > now()`,
};

const FIND_PENDING: Prepared = {
  name: 'email_change_pending',
  text: `SELECT account_id AS "accountId", email, expires_at AS "expiresAt" FROM email_changes
          WHERE account_id = $1 AND expires_at > now()`,
};

const CANCEL: Prepared = {
  name: 'email_change_cancel',
  text: 'DELETE FROM email_changes WHERE account_id = $1 RETURNING email, mail_id AS "mailId"',
};

const IS_TAKEN: Prepared = {
  name: 'email_change_is_taken',
  text: 'SELECT EXISTS (SELECT FROM accounts WHERE lower(email) = lower($2) AND id <> $1) AS taken',
};

interface NewEmail {
  readonly accountId: string;
  readonly email: string;
}

/** A change that waits for its link. */
export interface PendingEmailChange {
  readonly accountId: string;
  /** The new address. */
  readonly email: string;
  /** When its link expires. */
  readonly expiresAt: Date;
}

/** Links that change the address of an account, by the hashes of their tokens. */
export const emailChangesRepository = {
  /** Whether another account has the address. */
  async isTaken(on: Queryable, { accountId, email }: NewEmail): Promise<boolean> {
    return (await on.query<{ taken: boolean }>(IS_TAKEN, [accountId, email]))[0]!.taken;
  },

  /**
   * Stores a link. The account is locked, and has no other link.
   * @param mailId of the email that contains the link
   */
  async insert(
    tx: Queryable,
    { accountId, email }: NewEmail,
    tokenHash: Buffer,
    mailId: string | null,
  ): Promise<void> {
    await tx.query(INSERT, [accountId, email, tokenHash, mailId]);
  },

  /** The change of a link that can still be used. */
  async find(on: Queryable, tokenHash: Buffer): Promise<PendingEmailChange | undefined> {
    return (await on.query<PendingEmailChange>(FIND, [tokenHash]))[0];
  },

  /** The change of an account whose link can still be used. */
  async findPending(on: Queryable, accountId: string): Promise<PendingEmailChange | undefined> {
    return (await on.query<PendingEmailChange>(FIND_PENDING, [accountId]))[0];
  },

  /**
   * Ends the link of an account, if it has one. Its email is not sent if it is still pending.
   * @returns the address that it would have changed to
   */
  async cancel(tx: Queryable, accountId: string): Promise<string | undefined> {
    const canceled = await tx.query<{ email: string; mailId: string | null }>(CANCEL, [accountId]);
    await discardMails(
      tx,
      canceled.map(({ mailId }) => mailId),
    );
    return canceled[0]?.email;
  },
};
