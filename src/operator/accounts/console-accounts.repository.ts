import { Injectable } from '@nestjs/common';
import {
  type LinkedIdentity,
  linkedIdentitiesRepository,
} from '../../auth/oidc/identities/linked-identities.repository.js';
import { type OwnedOrganization, ownership, type PrimaryOwner } from '../../accounts/members/ownership.js';
import { Database, type Prepared } from '../../infra/database/database.js';
import { testAccountOf } from '../../kernel/accounts/livemode.js';
import { JOB_STATUSES } from '../../kernel/operations.js';
import type { Plan, PlanLimits } from '../../kernel/plans.js';

/** Maximum keys and newest sessions that are read for the last activity of an account. Most accounts have a few. */
const MAX_LOOKED_AT = 200;

const NEWEST_JOBS = JOB_STATUSES.map(
  (status) =>
    `(SELECT created_at AS at FROM jobs WHERE account_id = a.id AND status = '${status}' AND deleted_at IS NULL
       ORDER BY id COLLATE "C" DESC LIMIT 1)`,
).join(' UNION ALL ');

/** The index alone provides this time. Sorting the sessions instead would read all sessions of an account. */
const NEWEST_SESSIONS = `sessions WHERE account_id = a.id AND expires_at >= coalesce(
    (SELECT expires_at FROM sessions WHERE account_id = a.id ORDER BY expires_at DESC
      OFFSET ${MAX_LOOKED_AT - 1} LIMIT 1), '-infinity')`;

/** The last request with a key or a session, or the last job that is still listed. */
const LAST_ACTIVE = `(SELECT max(at) FROM (
  (SELECT last_used_at AS at FROM api_keys WHERE account_id = a.id LIMIT ${MAX_LOOKED_AT}) UNION ALL
  (SELECT last_seen_at FROM ${NEWEST_SESSIONS} LIMIT ${MAX_LOOKED_AT}) UNION ALL ${NEWEST_JOBS}) used)`;

const COLUMNS = `
  a.id, a.email, coalesce(a.name, a.email) AS name, a.plan, a.limits, a.created_at AS "createdAt", a.suspended_at AS "suspendedAt",
  a.suspended_reason AS "suspendedReason", a.operator_since IS NOT NULL AS "isOperator",
  a.email_verified_at IS NOT NULL AS "isEmailVerified", a.password_hash IS NOT NULL AS "hasPassword",
  EXISTS (SELECT FROM two_factor_secrets f WHERE f.account_id = a.id AND f.enabled_at IS NOT NULL) AS "hasTwoFactor", a.result_cache AS "resultCache",
  coalesce((SELECT u.used FROM enhancement_usage u WHERE u.account_id = a.id AND u.period = $2), 0) AS enhancements,
  coalesce((SELECT s.used_bytes FROM storage_usage s WHERE s.account_id = a.id), 0)::float8 AS "storageBytes",
  ${LAST_ACTIVE} AS "lastActiveAt"`;

/** `$1`: ids, whose order the rows keep; `$2`: the month. */
const READ: Prepared = {
  name: 'console_accounts_read',
  text: `SELECT ${COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, place)
           JOIN accounts a ON a.id = asked.id ORDER BY asked.place`,
};

/** The console shows larger numbers as "300 or more". */
export const MAX_COUNTED = 300;

const counted = (rows: string): string =>
  `(SELECT count(*)::int FROM (SELECT 1 FROM ${rows} LIMIT ${MAX_COUNTED}) counted)`;

const QUEUED = `(SELECT FROM jobs j WHERE j.account_id = mode.account_id AND j.status = 'queued' AND j.deleted_at IS NULL
  ORDER BY j.id COLLATE "C" DESC LIMIT ${MAX_COUNTED})`;

/**
 * `$1`: the account; `$2`: its test mode. Each query sorts in the order of an index, because otherwise PostgreSQL may
 * read a whole table for the first rows.
 */
const COUNT: Prepared = {
  name: 'console_account_counts',
  text: `SELECT
    ${counted(`api_keys WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`)} AS keys,
    ${counted('sessions WHERE account_id = $1 AND expires_at > now() ORDER BY expires_at DESC')} AS sessions,
    ${counted('memberships WHERE account_id = $1')} AS members,
    ${counted('webhook_endpoints WHERE account_id = ANY (ARRAY[$1, $2]) AND NOT callback')} AS endpoints,
    ${counted(`unnest(ARRAY[$1, $2]) AS mode (account_id) CROSS JOIN LATERAL ${QUEUED} queued`)} AS "queuedJobs"`,
};

const EMAIL: Prepared = {
  name: 'console_account_email',
  text: 'SELECT lower(email) AS email FROM accounts WHERE id = $1',
};

/** An account as shown in the console. */
export interface ConsoleAccount {
  readonly id: string;
  readonly email: string;
  /** The name of an organization, or the address of a user's account. */
  readonly name: string;
  readonly plan: Plan;
  /** Limits agreed with the account, which override those of the plan. */
  readonly limits: Partial<PlanLimits> | null;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  readonly suspendedReason: string | null;
  readonly isOperator: boolean;
  /** False for an organization, which has no address. */
  readonly isEmailVerified: boolean;
  readonly hasPassword: boolean;
  readonly hasTwoFactor: boolean;
  readonly resultCache: boolean;
  /** Enhancements of the month. */
  readonly enhancements: number;
  readonly storageBytes: number;
  readonly lastActiveAt: Date | null;
}

/** The number of objects of each kind in an account, at most `MAX_COUNTED`. */
export interface AccountCounts {
  readonly keys: number;
  readonly sessions: number;
  readonly members: number;
  readonly endpoints: number;
  readonly queuedJobs: number;
}

/** Accounts of all customers. Only for operators. */
@Injectable()
export class ConsoleAccountsRepository {
  constructor(private readonly database: Database) {}

  /** Reads accounts in the order of the ids. */
  read(ids: readonly string[], period: string): Promise<ConsoleAccount[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.database.query<ConsoleAccount>(READ, [ids, period]);
  }

  async counts(accountId: string): Promise<AccountCounts> {
    const [row] = await this.database.query<AccountCounts>(COUNT, [accountId, testAccountOf(accountId)]);
    return row!;
  }

  identities(accountId: string): Promise<LinkedIdentity[]> {
    return linkedIdentitiesRepository.list(this.database, accountId);
  }

  /** The owner of an organization, and the organizations that a user owns. */
  async ownership(accountId: string): Promise<{
    readonly owner: PrimaryOwner | null;
    readonly owned: readonly OwnedOrganization[];
  }> {
    return {
      owner: await ownership.ownerOf(this.database, accountId),
      owned: await ownership.ownedBy(this.database, accountId),
    };
  }

  /** The email address in lowercase; undefined for an unknown account. */
  async emailOf(accountId: string): Promise<string | undefined> {
    return (await this.database.query<{ email: string }>(EMAIL, [accountId]))[0]?.email;
  }
}
