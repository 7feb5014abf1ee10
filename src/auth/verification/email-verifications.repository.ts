import { auditLog } from '../../audit/audit-log.js';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { mailLimits } from '../../mail/mail-limits.js';
import { lockAccount } from '../account-lock.js';

/** A link can be used for this long. */
export const VERIFICATION_TTL_SECONDS = 3 * 86_400;

const INSERT: Prepared = {
  name: 'email_verification_insert',
  text: `INSERT INTO email_verifications (account_id, token_hash, expires_at)
         SELECT a.id, $2::bytea, now() + ${VERIFICATION_TTL_SECONDS} * interval '1 second' FROM accounts a
          WHERE a.id = $1 AND a.email_verified_at IS NULL RETURNING account_id`,
};

/** A link may be used again: programs open links before their readers do. */
const FIND: Prepared = {
  name: 'email_verification_find',
  text: `SELECT account_id AS "accountId" FROM email_verifications WHERE token_hash = $1 AND expires_at > now()`,
};

const VERIFY: Prepared = {
  name: 'email_verification_verify',
  text: 'UPDATE accounts SET email_verified_at = now() WHERE id = $1 AND email_verified_at IS NULL RETURNING id',
};

/** Links that verify email addresses, by the hashes of their tokens. */
export const emailVerificationsRepository = {
  /**
   * Does the same work without an account.
   * @param email of the account, or the one that is taken
   * @returns false without an account, for one that is verified, and when the address got too many of these emails
   */
  async issue(tx: Queryable, accountId: string | null, email: string, tokenHash: Buffer): Promise<boolean> {
    await lockAccount(tx, accountId);
    // A stranger's attempts to sign up with a taken address must not use up the limit of its owner.
    const to = accountId === null ? `taken ${email}` : email;
    const { allowed } = await mailLimits.take(tx, 'email_verification', to);
    return (await tx.query(INSERT, [allowed ? accountId : null, tokenHash])).length > 0;
  },

  /** The account of a link. */
  async find(on: Queryable, tokenHash: Buffer): Promise<string | undefined> {
    return (await on.query<{ accountId: string }>(FIND, [tokenHash]))[0]?.accountId;
  },

  /** Records that the address is verified. @returns false after the first time, when it does nothing */
  async verify(tx: Queryable, accountId: string): Promise<boolean> {
    if ((await tx.query(VERIFY, [accountId])).length === 0) return false;
    await auditLog.record(tx, { action: 'email.verified', accountId });
    return true;
  },
};
