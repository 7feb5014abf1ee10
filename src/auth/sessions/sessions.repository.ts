import { Inject, Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { currentActor } from '../../audit/audit-actor.js';
import { stateAt, takeSql, type TakenRow } from '../../quotas/rate-limit/rate-limit.sql.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import {
  permissionsAtOperator,
  permissionsOf,
  READ_PERMISSIONS,
  type Role,
} from '../../kernel/accounts/roles.js';
import { effectiveLimits, type Plan, type PlanLimits } from '../../kernel/plans.js';
import { decisionOf, type RateLimitDecision } from '../../kernel/rate-limit.js';
import type { Session } from './session.js';
import { endSessions } from './end-sessions.js';
import { hashSecretToken, newSecretToken } from '../../kernel/secret-token.js';

/**
 * Only while the account still has the password that was checked: the check takes time, and a session of the old
 * password must not outlive its change. The lock makes a concurrent change wait for this transaction, or the other way
 * around. $7: whether the second factor was checked, too; without it, an account that has one gets no session.
 */
const BEGIN: Prepared = {
  name: 'session_begin',
  text: `INSERT INTO sessions (token_hash, account_id, expires_at, address, user_agent)
         SELECT $2, a.id, now() + $3::float8 * interval '1 second', $5, $6
           FROM accounts a WHERE a.id = $1 AND a.password_hash = $4 AND a.suspended_at IS NULL
            AND ($7::boolean OR NOT EXISTS (
                  SELECT 1 FROM two_factor_secrets f WHERE f.account_id = a.id AND f.enabled_at IS NOT NULL))
            FOR SHARE OF a
         RETURNING account_id`,
};

const CREATE: Prepared = {
  name: 'session_create',
  text: `INSERT INTO sessions (token_hash, account_id, expires_at, address, user_agent)
         VALUES ($2, $1, now() + $3::float8 * interval '1 second', $4, $5)`,
};

/** The customer whom an operator is signed in as. The role is checked for each request. */
const IMPERSONATED = `CASE WHEN u.operator_since IS NOT NULL AND s.impersonation_expires_at > now()
                             THEN s.impersonated_account_id END`;

/** Not looked up for verified addresses, which is what most requests have. */
const HAS_VERIFICATION_LINK = `(u.email_verified_at IS NULL AND EXISTS (
    SELECT FROM email_verifications v WHERE v.account_id = u.id AND v.expires_at > now()))`;

/** Whether an organization is suspended: its members are then in their own accounts. */
const isSuspended = (accountId: string): string =>
  `EXISTS (SELECT FROM accounts o WHERE o.id = ${accountId} AND o.suspended_at IS NOT NULL)`;

/**
 * Finds the session, its user, and the current organization, and counts the request for the user in one round trip.
 * Without a membership the current organization is the user's own account. $2: idle seconds.
 */
const ADMIT: Prepared = {
  name: 'session_admit',
  text: `
    WITH s AS (
      SELECT s.account_id AS "userId", u.email AS "userEmail", CASE WHEN ${IMPERSONATED} IS NULL THEN coalesce(m.role, 'owner') ELSE 'owner' END AS role,
             CASE WHEN ${IMPERSONATED} IS NOT NULL THEN s.impersonation_started_at END AS impersonation_started_at,
             s.impersonation_expires_at,
             s.expires_at, s.last_seen_at, a.id AS "accountId", a.email,
             coalesce(a.name, a.email) AS name, coalesce(a.owner_id, a.id) AS "ownerId", a.plan, a.limits, a.created_at,
             u.operator_since IS NOT NULL AS operator, a.operator_since IS NOT NULL AS "isOfOperator", u.email_verified_at IS NOT NULL AS "isEmailVerified",
             u.password_hash IS NOT NULL AS "hasPassword", ${HAS_VERIFICATION_LINK} AS "hasVerificationLink",
             'dashboard:' || s.account_id AS bucket
        FROM sessions s
        JOIN accounts u ON u.id = s.account_id
        LEFT JOIN memberships m ON m.account_id = s.current_account_id AND m.user_id = s.account_id
                               AND NOT ${isSuspended('m.account_id')}
        JOIN accounts a ON a.id = coalesce(${IMPERSONATED}, m.account_id, s.account_id)
       WHERE s.token_hash = $1 AND s.expires_at > now() AND u.suspended_at IS NULL
         AND s.last_seen_at > now() - $2::float8 * interval '1 second'),
    taken AS (${takeSql('SELECT s.bucket, $3::float8 AS ceiling, 1 AS n FROM s')})
    SELECT s.*, taken.*, s.last_seen_at < now() - interval '1 minute' AS "isStale"
      FROM s JOIN taken ON taken.bucket = s.bucket`,
};

const TOUCH: Prepared = {
  name: 'session_touch',
  text: `UPDATE sessions SET last_seen_at = now(), address = coalesce($2, address)
          WHERE token_hash = $1 AND last_seen_at < now() - interval '1 minute'`,
};

const END: Prepared = {
  name: 'session_end',
  text: 'DELETE FROM sessions WHERE token_hash = $1 RETURNING account_id',
};

interface AdmittedRow extends TakenRow {
  userId: string;
  userEmail: string;
  role: Role;
  accountId: string;
  expires_at: Date;
  email: string;
  name: string;
  ownerId: string;
  plan: Plan;
  limits: Partial<PlanLimits> | null;
  created_at: Date;
  operator: boolean;
  isOfOperator: boolean;
  impersonation_started_at: Date | null;
  impersonation_expires_at: Date | null;
  isEmailVerified: boolean;
  hasPassword: boolean;
  hasVerificationLink: boolean;
  isStale: boolean;
}

@Injectable()
export class SessionsRepository {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Creates a session after a password was verified.
   * @param passwordHash of that password
   * @param hasSecondFactor whether a second factor was verified, too
   * @returns its token for the cookie; undefined when the password was changed meanwhile, the account was suspended or
   *   deleted, or it has a second factor that was not verified
   */
  async begin(
    on: Queryable,
    accountId: string,
    passwordHash: string,
    hasSecondFactor = false,
  ): Promise<string | undefined> {
    const token = newSecretToken();
    const { address, userAgent } = currentActor();
    const hash = hashSecretToken(token);
    const { sessionMaxSeconds } = this.config;
    const values = [accountId, hash, sessionMaxSeconds, passwordHash, address, userAgent, hasSecondFactor];
    return (await on.query(BEGIN, values)).length === 0 ? undefined : token;
  }

  /**
   * Creates a session of a user who has proven everything that a sign-in requires, in the transaction of the proof.
   * @returns its token for the cookie
   */
  async create(tx: Queryable, accountId: string): Promise<string> {
    const token = newSecretToken();
    const { address, userAgent } = currentActor();
    const values = [accountId, hashSecretToken(token), this.config.sessionMaxSeconds, address, userAgent];
    await tx.query(CREATE, values);
    return token;
  }

  /**
   * The active session of a token, and whether the user may send another request this minute.
   */
  async admit(token: string): Promise<{ session: Session; decision: RateLimitDecision } | undefined> {
    const { sessionIdleSeconds, dashboardRequestsPerMinute: limit } = this.config;
    const hash = hashSecretToken(token);
    const [row] = await this.database.query<AdmittedRow>(ADMIT, [hash, sessionIdleSeconds, limit]);
    if (row === undefined) return undefined;
    if (row.isStale) await this.database.query(TOUCH, [hash, currentActor().address]);
    const { accountId: id, email, name, ownerId, plan, created_at: createdAt, role, operator } = row;
    const { isEmailVerified, hasVerificationLink, hasPassword } = row;
    const signIn = { isEmailVerified, hasVerificationLink, hasPassword };
    const user = { id: row.userId, email: row.userEmail, operator, ...signIn };
    const account = { id, email, name, ownerId, plan, limits: effectiveLimits(plan, row.limits), createdAt };
    const { impersonation_started_at: startedAt, impersonation_expires_at: endsAt } = row;
    const impersonation = startedAt === null || endsAt === null ? null : { startedAt, expiresAt: endsAt };
    const isGuest = row.isOfOperator && !operator;
    const ofRole = isGuest ? permissionsAtOperator(role) : permissionsOf(role);
    const permissions = impersonation === null ? ofRole : READ_PERMISSIONS;
    return {
      session: { token, expiresAt: row.expires_at, user, account, role, permissions, impersonation },
      decision: decisionOf(stateAt(row, 0), limit),
    };
  }

  /** Does nothing when it has ended already. */
  async end(token: string): Promise<void> {
    await this.endByHash(hashSecretToken(token));
  }

  /** Like `end`, by the stored hash of the token. */
  async endByHash(tokenHash: Buffer): Promise<void> {
    await this.database.query(END, [tokenHash]);
  }

  /** Ends a session on sign-out. Does nothing when it has ended already. */
  async signOut(token: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [row] = await tx.query<{ account_id: string }>(END, [hashSecretToken(token)]);
      if (row !== undefined) await auditLog.record(tx, { action: 'sign_out', accountId: row.account_id });
    });
  }

  /** Signs a user out everywhere. */
  async endAll(on: Queryable, accountId: string): Promise<void> {
    await endSessions(on, accountId);
  }
}
