import { currentActor } from '../../../audit/audit-actor.js';
import type { Prepared, Queryable } from '../../../infra/database/database.js';
import { mailLimits } from '../../../mail/mail-limits.js';
import { lockAccount } from '../../account-lock.js';
import { isTestAccountSql } from '../../../kernel/accounts/livemode.js';

/** A link can be used for this long. */
export const RESET_TTL_SECONDS = 3_600;

const LOCK_BY_EMAIL: Prepared = {
  name: 'password_reset_lock_by_email',
  text: `SELECT id FROM accounts WHERE lower(email) = lower($1) AND owner_id IS NULL AND NOT ${isTestAccountSql('id')} FOR NO KEY UPDATE`,
};

/** For an unknown account ($1 is null) the same work, without a row. */
const REQUEST: Prepared = {
  name: 'password_reset_request',
  text: `WITH made AS (
           INSERT INTO password_resets (account_id, token_hash, expires_at)
           SELECT a.id, $2::bytea, now() + ${RESET_TTL_SECONDS} * interval '1 second' FROM accounts a
            WHERE a.id = $1 RETURNING account_id),
         audited AS (
           INSERT INTO audit_events (account_id, action, actor_kind, address, user_agent)
           SELECT account_id, 'password.reset_requested', 'person', $3, $4 FROM made)
         SELECT a.email FROM made JOIN accounts a ON a.id = made.account_id`,
};

const ISSUE: Prepared = {
  name: 'password_reset_issue',
  text: `INSERT INTO password_resets (account_id, token_hash, was_mailed, expires_at)
         VALUES ($1, $2, false, now() + ${RESET_TTL_SECONDS} * interval '1 second')`,
};

const FIND: Prepared = {
  name: 'password_reset_find',
  text: `SELECT a.id AS "accountId", a.email, r.was_mailed AS "wasMailed" FROM password_resets r JOIN accounts a ON a.id = r.account_id
          WHERE r.token_hash = $1 AND r.used_at IS NULL AND r.expires_at > now()`,
};

/** Uses up every link of the account. $2: the link that is used, which must still be valid; null: none. */
const USE_ALL: Prepared = {
  name: 'password_reset_use_all',
  text: `UPDATE password_resets SET used_at = now()
          WHERE account_id = $1 AND used_at IS NULL
            AND ($2::bytea IS NULL OR EXISTS (
                  SELECT FROM password_resets r
                   WHERE r.token_hash = $2 AND r.account_id = $1 AND r.used_at IS NULL AND r.expires_at > now()))
         RETURNING token_hash`,
};

const SET_PASSWORD: Prepared = {
  name: 'password_reset_set_password',
  text: 'UPDATE accounts SET password_hash = $2, password_expires_at = NULL WHERE id = $1',
};

export interface ResettableAccount {
  readonly accountId: string;
  readonly email: string;
  /** The link was sent to the address of the account, so using it verifies the address. False for a link of an operator. */
  readonly wasMailed: boolean;
}

/** Links for choosing a new password, by the hashes of their tokens. */
export const passwordResetsRepository = {
  /** Locks the account of an address. @returns its id */
  async lockByEmail(tx: Queryable, email: string): Promise<string | null> {
    return (await tx.query<{ id: string }>(LOCK_BY_EMAIL, [email]))[0]?.id ?? null;
  },

  /**
   * Stores a link that the owner of the account asked for, and records that in the audit log.
   * @param accountId locked; null for an unknown account
   * @param email that was given
   * @returns the address to send it to; null for an unknown account, and when the address got too many of these emails
   */
  async request(
    tx: Queryable,
    accountId: string | null,
    email: string,
    tokenHash: Buffer,
  ): Promise<string | null> {
    const { address, userAgent } = currentActor();
    const { allowed } = await mailLimits.take(tx, 'password_reset', email);
    const values = [allowed ? accountId : null, tokenHash, address, userAgent];
    const [row] = await tx.query<{ email: string }>(REQUEST, values);
    return row?.email ?? null;
  },

  /** Stores a link that an operator asked for. */
  async issue(tx: Queryable, accountId: string, tokenHash: Buffer): Promise<void> {
    await tx.query(ISSUE, [accountId, tokenHash]);
  },

  /** The account of a link that can still be used. */
  async find(on: Queryable, tokenHash: Buffer): Promise<ResettableAccount | undefined> {
    return (await on.query<ResettableAccount>(FIND, [tokenHash]))[0];
  },

  /** Uses up a link, and with it every other one of the account. @returns false when it cannot be used any more */
  async use(tx: Queryable, accountId: string, tokenHash: Buffer): Promise<boolean> {
    await lockAccount(tx, accountId);
    return (await tx.query(USE_ALL, [accountId, tokenHash])).length > 0;
  },

  /** Ends every link of an account whose password is changed. */
  async endAll(tx: Queryable, accountId: string): Promise<void> {
    await tx.query(USE_ALL, [accountId, null]);
  },

  async setPassword(tx: Queryable, accountId: string, passwordHash: string): Promise<void> {
    await tx.query(SET_PASSWORD, [accountId, passwordHash]);
  },
};
