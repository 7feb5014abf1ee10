import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../audit/audit-actions.js';
import { currentActor } from '../../audit/audit-actor.js';
import { MAX_FAILURES_PER_HOUR } from '../../audit/audit-log.js';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { newId } from '../../kernel/ids.js';

const FIND_BY_EMAIL: Prepared = {
  name: 'credentials_by_email',
  text: `SELECT id, CASE WHEN password_expires_at < now() THEN NULL ELSE password_hash END AS "passwordHash",
                CASE WHEN suspended_at IS NOT NULL THEN coalesce(suspended_reason, '') END AS "suspendedReason"
           FROM accounts WHERE lower(email) = lower($1)`,
};

const FIND_BY_ID: Prepared = {
  name: 'credentials_by_id',
  text: `SELECT CASE WHEN password_expires_at < now() THEN NULL ELSE password_hash END AS "passwordHash"
           FROM accounts WHERE id = $1`,
};

const REPEATED = 'account.sign_up_repeated' satisfies AuditAction;

/**
 * Writes the row of the account in both cases, so that a taken address takes as long as a free one. The newest repeated
 * sign-ups are read from the end of an index of the log, by group.
 */
const SIGN_UP: Prepared = {
  name: 'credentials_sign_up',
  text: `WITH made AS (
           INSERT INTO accounts AS a (id, email, plan, password_hash) VALUES ($1, $2, 'free', $3)
           ON CONFLICT ((lower(email))) DO UPDATE SET email = a.email RETURNING id),
         recorded AS (
           INSERT INTO audit_events (account_id, action, actor_kind, address, user_agent)
           SELECT id, CASE WHEN id = $1 THEN 'account.created' ELSE '${REPEATED}' END, 'person', $4, $5
             FROM made
            WHERE (SELECT count(*) FROM (
                     SELECT created_at FROM audit_events e
                      WHERE e.account_id = made.id AND split_part(e.action, '.', 1) = 'account'
                        AND e.action = '${REPEATED}' ORDER BY e.id DESC LIMIT ${MAX_FAILURES_PER_HOUR}) newest
                    WHERE created_at > now() - interval '1 hour') < ${MAX_FAILURES_PER_HOUR})
         SELECT id FROM made`,
};

const RENEW_HASH: Prepared = {
  name: 'credentials_renew_hash',
  text: 'UPDATE accounts SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING id',
};

export interface Credentials {
  readonly id: string;
  /** Null without a password, and when a temporary one has expired. */
  readonly passwordHash: string | null;
  /** Why the account is suspended; null while it is active. */
  readonly suspendedReason: string | null;
}

const CHANGE_PASSWORD: Prepared = {
  name: 'credentials_change_password',
  text: `UPDATE accounts SET password_hash = $3, password_expires_at = NULL WHERE id = $1 AND password_hash = $2
         RETURNING id`,
};

/** Email addresses and password hashes of accounts. */
@Injectable()
export class CredentialsRepository {
  constructor(private readonly database: Database) {}

  async findByEmail(email: string): Promise<Credentials | undefined> {
    return (await this.database.query<Credentials>(FIND_BY_EMAIL, [email]))[0];
  }

  /** Null for an account without a password, and for an unknown account. */
  async passwordHashOf(accountId: string): Promise<string | null> {
    const [row] = await this.database.query<{ passwordHash: string | null }>(FIND_BY_ID, [accountId]);
    return row?.passwordHash ?? null;
  }

  /**
   * Creates a Free account unless the address is taken. The work is the same in both cases.
   * @returns its id; null when the address was taken
   */
  async signUp(tx: Queryable, email: string, passwordHash: string): Promise<string | null> {
    const { address, userAgent } = currentActor();
    const id = newId('account');
    const [row] = await tx.query<{ id: string }>(SIGN_UP, [id, email, passwordHash, address, userAgent]);
    return row!.id === id ? id : null;
  }

  /**
   * Replaces a temporary password, too, which then no longer expires.
   * @returns whether it was changed: false when `from` is no longer the account's hash, because of a concurrent change
   */
  async changePassword(on: Queryable, accountId: string, from: string, to: string): Promise<boolean> {
    return (await on.query(CHANGE_PASSWORD, [accountId, from, to])).length > 0;
  }

  /** Stores another hash of the same password. Does nothing when it was changed meanwhile. */
  async renewPasswordHash(accountId: string, from: string, to: string): Promise<boolean> {
    return (await this.database.query(RENEW_HASH, [accountId, from, to])).length > 0;
  }
}
