import { Injectable } from '@nestjs/common';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { currentTraceparent } from '../../infra/telemetry/tracing/work-context.js';
import type { Principal } from '../../kernel/principal.js';
import { callbackOf, eventRows } from '../../webhooks/events/outbox.js';
import { withCompletionTimes } from '../database-time.sql.js';
import { insertReusedJobs, REUSED_TIMES, type ReusedTimes, reusedTimes } from './reused-job.sql.js';
import type { JobModel } from '../job.entity.js';
import { JOBS_WITH_SOURCE } from '../job-list-query.js';
import type { JobWithSource } from '../job-presenter.js';

/** A result that is about to expire might be erased before it is copied. */
const MIN_LIFE = `interval '10 seconds'`;

/** SQL of the values that a reusable job has, and of whether the request asks for it. */
interface Reusable {
  readonly hash: string;
  readonly model: string;
  readonly models: string;
  readonly isAsked: string;
}

/** Whether a job of the account `$1` has a result that a new job may use. */
const isReusable = ({ hash, model, models, isAsked }: Reusable): string => `
            account_id = $1 AND request_hash = ${hash} AND status = 'completed' AND result_erased_at IS NULL
              AND deleted_at IS NULL AND model = ${model}::jsonb
              AND (steps IS NULL OR (
                SELECT jsonb_agg(step->'model' ORDER BY n) FROM jsonb_array_elements(steps) WITH ORDINALITY AS s (step, n)) = ${models}::jsonb)
              AND result_expires_at > now() + ${MIN_LIFE}
              AND (${isAsked} OR (SELECT result_cache FROM accounts WHERE id = $1))`;

/** Finds an equal job with one index lookup, however many jobs the account has. @param hash SQL of the hash */
const equalJob = (hash: string): string => `
           SELECT id FROM jobs WHERE ${isReusable({ hash, model: '$3', models: '$4', isAsked: '$5' })} LIMIT 1`;

const FIND: Prepared = {
  name: 'result_cache_find',
  text: `${JOBS_WITH_SOURCE} WHERE j.id = (${equalJob('$2')})`,
};

const FIND_MANY: Prepared = {
  name: 'result_cache_find_many',
  text: `SELECT found.*, encode(asked.hash, 'hex') AS "hashHex"
           FROM unnest($2::bytea[]) AS asked (hash)
           CROSS JOIN LATERAL (${JOBS_WITH_SOURCE} WHERE j.id = (${equalJob('asked.hash')})) found`,
};

/**
 * Inserts a completed job with a copy of another job's result, and its events. Does nothing when the upload or the other
 * job can no longer be used, because the caller may have read them long ago. Storage is counted under the row lock of
 * the counter, by the rule of new jobs: any room is enough. OFFSET keeps the planner from another index, which may hold
 * thousands of jobs with this hash.
 */
const INSERT: Prepared = {
  name: 'result_cache_insert',
  text: `
    WITH original AS (
      SELECT * FROM (SELECT * FROM jobs WHERE id = $14 OFFSET 0) by_id
       WHERE ${isReusable({ hash: '$24', model: '$25', models: '$26', isAsked: '$27' })}
         AND (SELECT true FROM sources WHERE id = $5 AND account_id = $1 AND deleted_at IS NULL)),
    storage AS (
      INSERT INTO storage_usage AS u (account_id, used_bytes)
      SELECT $1, $2::bigint FROM original WHERE $3::bigint > 0
      ON CONFLICT (account_id) DO UPDATE SET used_bytes = u.used_bytes + $2::bigint WHERE u.used_bytes < $3::bigint
      RETURNING 1),
    job AS (
      ${insertReusedJobs(
        {
          id: '$4',
          account_id: '$1',
          source_id: '$5',
          metadata: '$6::jsonb',
          timings: '$7::jsonb',
          steps: '$19::jsonb',
          period: '$8',
          result_key: '$9',
          ...reusedTimes('$11::timestamptz', '$12::timestamptz', '$10::timestamptz'),
          traceparent: '$13',
          key_id: '$18',
          preset: '$20',
          callback_url: '$21',
          expires_in: '$22::int',
          retention: '$23',
          batch_id: 'NULL',
          batch_index: 'NULL::int',
        },
        'original h, storage',
      )}
      RETURNING created_at, started_at, completed_at, result_expires_at),
    event AS (
      INSERT INTO events (id, account_id, type, data, created_at, traceparent, callback_url)
      SELECT e.id, $1, e.type, ${withCompletionTimes('$15::jsonb', 'job', '$12::timestamptz')}, job.completed_at, $13, ${callbackOf("'enhancement.completed'", '$21')}
        FROM job, unnest($16::text[], $17::text[]) AS e (id, type))
    SELECT EXISTS (SELECT 1 FROM original) AS "isUsable", ${REUSED_TIMES} FROM (VALUES (1)) AS one LEFT JOIN job ON true`,
};

export type ReuseRefusal = 'storage_full' | 'gone';

/** The row that says what happened. The times are null if no job was created. */
type InsertRow = { readonly isUsable: boolean } & {
  readonly [Time in keyof ReusedTimes]: Date | null;
};

/** A job whose result may be used again, and the hash of its request. */
export type FoundJob = JobWithSource & { readonly hashHex: string };

/** What makes a job equal to an earlier one. */
export interface EqualJob {
  /** See `requestHash`. */
  readonly hash: Buffer;
  /** Of each step. */
  readonly models: readonly JobModel[];
  /** Whether the request asks for it. Otherwise the account decides. */
  readonly isAsked: boolean;
}

/** Results that may be used again. */
@Injectable()
export class ResultCacheRepository {
  /** A completed job of the account with the same request and the same model files; undefined without one. */
  async find(
    on: Queryable,
    accountId: string,
    { hash, models, isAsked }: EqualJob,
  ): Promise<JobWithSource | undefined> {
    const values = [accountId, hash, ...modelsJson(models), isAsked];
    return (await on.query<JobWithSource>(FIND, values))[0];
  }

  /** Like `find`, for many hashes of jobs with the same models. In no particular order. */
  findAll(
    on: Queryable,
    accountId: string,
    { hashes, models, isAsked }: Omit<EqualJob, 'hash'> & { readonly hashes: readonly Buffer[] },
  ): Promise<FoundJob[]> {
    const values = [accountId, hashes, ...modelsJson(models), isAsked];
    return on.query<FoundJob>(FIND_MANY, values);
  }

  /**
   * @param original what the job must be equal to, and its id
   * @param event the data of `enhancement.completed`
   * @returns the times of the job, which may differ from those of `job`
   */
  async insert(
    on: Queryable,
    { accountId, keyId, limits }: Principal,
    job: JobWithSource,
    { id: originalId, hash, models, isAsked }: EqualJob & Pick<JobWithSource, 'id'>,
    event: Record<string, unknown>,
  ): Promise<ReusedTimes | ReuseRefusal> {
    const { ids, types } = eventRows('enhancement.completed');
    const [row] = await on.query<InsertRow>(INSERT, [
      accountId,
      job.resultBytes,
      limits.storageBytes,
      job.id,
      job.sourceId,
      JSON.stringify(job.metadata),
      JSON.stringify(job.timings),
      job.period,
      job.resultKey,
      job.resultExpiresAt,
      job.createdAt,
      job.completedAt,
      currentTraceparent() ?? null,
      originalId,
      JSON.stringify(event),
      ids,
      types,
      keyId,
      job.steps && JSON.stringify(job.steps),
      job.preset,
      job.callbackUrl ?? null,
      job.expiresIn ?? null,
      job.retention ?? null,
      hash,
      ...modelsJson(models),
      isAsked,
    ]);
    const { isUsable, createdAt, startedAt, completedAt, resultExpiresAt } = row!;
    if (createdAt === null) return isUsable ? 'storage_full' : 'gone';
    return { createdAt, startedAt: startedAt!, completedAt: completedAt!, resultExpiresAt: resultExpiresAt! };
  }
}

/** The model of the first step, for the column `model`, and those of all steps. */
function modelsJson(models: readonly JobModel[]): [string, string] {
  return [JSON.stringify(models[0]), JSON.stringify(models)];
}
