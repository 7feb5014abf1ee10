import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { isTestAccountSql } from '../../kernel/accounts/livemode.js';
import type { ErrorCode } from '../../kernel/errors/error-codes.js';
import { lowestIdOf } from '../../kernel/ids.js';
import { accountIdOf } from '../accounts/account-id.js';

export interface FailureFilter {
  readonly code?: string | undefined;
  readonly operation?: string | undefined;
  readonly accountId?: string | undefined;
  /** Only jobs created since then. */
  readonly since?: Date | undefined;
}

/** A failed job of any account. */
export interface FailedJob {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  /** The name of an organization, or the address of a user's account. */
  readonly accountName: string;
  readonly operation: string;
  readonly code: ErrorCode;
  readonly message: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly failedAt: Date;
  /** Whether the photo still exists. */
  readonly hasSource: boolean;
  readonly isSuspended: boolean;
  /** The batch of which it is an item. */
  readonly batchId: string | null;
  /** The job that replaced it: run by an operator, or by a retry of its batch. */
  readonly rerunAs: string | null;
}

export interface FailureCount {
  readonly code: ErrorCode;
  readonly jobs: number;
}

/** Maximum number of failures that are counted by code, newest first. */
export const MAX_COUNTED_FAILURES = 2_000;

/** The condition of the indexes. Canceled jobs count as failed only in the API, and test jobs fail on request. */
const IS_FAILURE = `status = 'failed' AND error_code <> 'canceled' AND deleted_at IS NULL
  AND NOT ${isTestAccountSql('account_id')}`;

const CONDITIONS = {
  code: (value: string) => `error_code = ${value}`,
  operation: (value: string) => `operation = ${value}`,
  accountId: (value: string) => `account_id = ${value}`,
} as const;
const FILTERS = Object.keys(CONDITIONS) as readonly (keyof typeof CONDITIONS)[];

const LOWEST_ID = 'job_';
const HIGHEST_ID = 'job_~';

const JOB = `j.id, j.account_id AS "accountId", a.email, coalesce(a.name, a.email) AS "accountName", j.operation, j.error_code AS code,
  j.error_message AS message, j.attempts, j.created_at AS "createdAt", coalesce(j.completed_at, j.created_at) AS "failedAt",
  s.deleted_at IS NULL AS "hasSource", a.suspended_at IS NOT NULL AS "isSuspended", j.batch_id AS "batchId",
  coalesce(r.new_job_id, j.retried_as) AS "rerunAs"`;
const JOINS = `JOIN accounts a ON a.id = j.account_id JOIN sources s ON s.id = j.source_id
  LEFT JOIN job_reruns r ON r.job_id = j.id`;

/** One prepared statement per combination of filters. `$1`: the id before the page; `$2`: the lowest id; `$3`: rows. */
function statementOf(kind: 'list' | 'counts', given: readonly (keyof typeof CONDITIONS)[]): Prepared {
  const conditions = given.map((filter, index) => `AND ${CONDITIONS[filter](`$${index + 4}`)}`).join(' ');
  const part = (columns: string): string =>
    `SELECT ${columns} FROM jobs WHERE ${IS_FAILURE} AND id COLLATE "C" < $1 AND id COLLATE "C" >= $2 ${conditions}
      ORDER BY id COLLATE "C" DESC LIMIT $3`;
  return {
    name: `console_failures_${kind}_${given.join('_')}`,
    text:
      kind === 'list'
        ? `SELECT ${JOB} FROM jobs j ${JOINS} WHERE j.id IN (${part('id')}) ORDER BY j.id COLLATE "C" DESC`
        : `SELECT error_code AS code, count(*)::int AS jobs FROM (${part('error_code')}) newest
            GROUP BY error_code ORDER BY jobs DESC, code`,
  };
}

const FIND: Prepared = {
  name: 'console_failure_find',
  text: `SELECT ${JOB} FROM jobs j ${JOINS} WHERE j.id = $1 AND j.status = 'failed' AND j.error_code <> 'canceled'
            AND j.deleted_at IS NULL AND NOT ${isTestAccountSql('j.account_id')}`,
};

/** Failed jobs of all accounts. Only for operators. */
@Injectable()
export class FailedJobsRepository {
  constructor(private readonly database: Database) {}

  /** Failed jobs, newest first. */
  list(filter: FailureFilter, beforeId: string | undefined, limit: number): Promise<FailedJob[]> {
    return this.database.query<FailedJob>(...this.asked('list', filter, beforeId, limit));
  }

  /** The newest failures by code, the most frequent first. */
  counts(filter: FailureFilter): Promise<FailureCount[]> {
    return this.database.query<FailureCount>(
      ...this.asked('counts', filter, undefined, MAX_COUNTED_FAILURES),
    );
  }

  async find(id: string): Promise<FailedJob | undefined> {
    return (await this.database.query<FailedJob>(FIND, [id]))[0];
  }

  /** Undefined when no account has this email address. */
  accountIdOf(idOrEmail: string): Promise<string | undefined> {
    return accountIdOf(this.database, idOrEmail);
  }

  private asked(
    kind: 'list' | 'counts',
    filter: FailureFilter,
    beforeId: string | undefined,
    limit: number,
  ): [Prepared, unknown[]] {
    const given = FILTERS.filter((name) => filter[name] !== undefined);
    const lowest = filter.since === undefined ? LOWEST_ID : lowestIdOf('job', filter.since.getTime());
    const values = [beforeId ?? HIGHEST_ID, lowest, limit, ...given.map((name) => filter[name])];
    return [statementOf(kind, given), values];
  }
}
