import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { hashSecretToken, newSecretToken } from '../../kernel/secret-token.js';

/** How long a user may take to enter the code. */
export const PENDING_SECONDS = 600;

const DIGEST = `sha256(convert_to(a.password_hash, 'UTF8'))`;

/**
 * Only while the account has the password that was checked, and a second factor. $3: hash of that password; null after
 * a sign-in without one.
 */
const BEGIN: Prepared = {
  name: 'pending_sign_in_begin',
  text: `INSERT INTO pending_sign_ins (token_hash, account_id, password_digest, expires_at)
         SELECT $2, a.id, ${DIGEST}, now() + ${PENDING_SECONDS} * interval '1 second'
           FROM accounts a JOIN two_factor_secrets f ON f.account_id = a.id AND f.enabled_at IS NOT NULL
          WHERE a.id = $1 AND a.suspended_at IS NULL AND ($3::text IS NULL OR a.password_hash = $3) FOR SHARE OF a
         RETURNING account_id`,
};

const FROM = `FROM pending_sign_ins p JOIN accounts a ON a.id = p.account_id
          WHERE p.token_hash = $1 AND p.expires_at > now() AND a.suspended_at IS NULL
            AND p.password_digest IS NOT DISTINCT FROM ${DIGEST}`;

const FIND: Prepared = { name: 'pending_sign_in_find', text: `SELECT a.id ${FROM}` };

/** Makes a change of the password wait for this transaction, or the other way around. */
const LOCK: Prepared = { name: 'pending_sign_in_lock', text: `SELECT a.id ${FROM} FOR SHARE OF a` };

const END: Prepared = {
  name: 'pending_sign_in_end',
  text: 'DELETE FROM pending_sign_ins WHERE token_hash = $1 RETURNING account_id',
};

interface IdRow {
  readonly id: string;
}

/**
 * Sign-ins that wait for the second factor. They are not sessions, so no route admits them. A new password ends them,
 * and so does turning off the second factor.
 */
@Injectable()
export class PendingSignInsRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param passwordHash of the password that was verified; null after a sign-in without a password
   * @returns the token for the cookie; undefined when the password was changed meanwhile, or there is no second factor
   */
  async begin(on: Queryable, accountId: string, passwordHash: string | null): Promise<string | undefined> {
    const token = newSecretToken();
    const rows = await on.query(BEGIN, [accountId, hashSecretToken(token), passwordHash]);
    return rows.length === 0 ? undefined : token;
  }

  /** @returns the account that signs in; undefined when the sign-in has ended */
  async accountOf(token: string): Promise<string | undefined> {
    return (await this.database.query<IdRow>(FIND, [hashSecretToken(token)]))[0]?.id;
  }

  /** Like `accountOf`, and locks the account until the transaction ends. */
  async lockedAccountOf(tx: Queryable, token: string): Promise<string | undefined> {
    return (await tx.query<IdRow>(LOCK, [hashSecretToken(token)]))[0]?.id;
  }

  /** @returns false when it had ended already: of two requests at once, one gets the session */
  async end(on: Queryable, token: string): Promise<boolean> {
    return (await on.query(END, [hashSecretToken(token)])).length > 0;
  }
}
