import { Injectable } from '@nestjs/common';
import { workKind } from '../../models/repository/work-kind.js';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import type { Principal } from '../../kernel/principal.js';
import { currentTraceparent } from '../../infra/telemetry/tracing/work-context.js';
import { eventRows } from '../../webhooks/events/outbox.js';
import { databaseNow, databaseTime, withDatabaseTimes } from '../database-time.sql.js';
import { TURN_PRICE } from '../queue/fair-queue.repository.js';
import { JOB_KIND } from '../queue/job-kind.sql.js';
import { turnPlace } from '../queue/turn-place.sql.js';
import { insertQueuedJobs } from './queued-job.sql.js';
import type { JobTerms } from './job-terms.js';
import type { JobOutput } from '../job-output.js';
import type { StepColumns } from '../job-step.js';

/** Where the next jobs of the account are placed in the queue. */
const nextTurns = (first: string, price: string): string =>
  `next_turn = greatest(${first}.next_turn, u.next_turn + ${price}),
             batch_next_turn = greatest(${first}.next_turn, greatest(u.next_turn, u.batch_next_turn) + ${price})`;

/**
 * Reserves the enhancements of a job and inserts the job, its ledger row, and its event in one statement, unless its
 * source is deleted. The row lock of the counter serializes the requests of an account, so exactly as many succeed as
 * the quota allows. Under the same lock, the job gets its virtual start time in the queue; the first job of a month,
 * whose counter is new, is placed behind jobs that have waited since the previous month. Jobs of batches have their
 * own queue (`batch_next_turn`): a single job does not wait for them, and moves later batches of its account back by
 * its cost.
 *
 * UPDATE wakes the requests that wait for the counter one after the other. INSERT with ON CONFLICT wakes all of them at
 * each commit, so only the first job of a month uses it.
 */
const CREATE: Prepared = {
  name: 'job_create',
  text: `
    WITH storage AS (
      SELECT coalesce((SELECT used_bytes FROM storage_usage WHERE account_id = $1), 0) < $2::bigint AS has_room),
    source AS (SELECT id FROM sources WHERE id = $6 AND account_id = $1 AND deleted_at IS NULL),
    price AS (SELECT ${TURN_PRICE} AS price FROM (VALUES ($11::int, $22::bigint)) AS job (source_pixels, work_pixels)),
    ${turnPlace('$18')},
    own AS (
      SELECT turn + (SELECT lag FROM place) + ${TURN_PRICE} AS next_turn FROM jobs
       WHERE (SELECT lag FROM place) > 0 AND account_id = $1 AND status = 'queued' AND batch_id IS NULL
         AND (steps IS NOT NULL OR ${JOB_KIND} IN (SELECT kind FROM pool)) ORDER BY turn DESC LIMIT 1),
    last AS (
      SELECT turn + ${TURN_PRICE} AS next_turn FROM jobs
       WHERE account_id = $1 AND status = 'queued' AND batch_id IS NULL ORDER BY turn DESC LIMIT 1),
    first AS (
      SELECT greatest(place.clock, (SELECT next_turn FROM last), (SELECT next_turn FROM own)) + price.price AS next_turn
        FROM place, price),
    counted AS (
      UPDATE enhancement_usage u
         SET used = u.used + $21::int, allowed = coalesce(u.allowed, $4::int), ${nextTurns('first', 'price.price')}
        FROM source, storage, first, price
       WHERE u.account_id = $1 AND u.period = $3 AND storage.has_room AND u.used + $21::int <= $4::int
      RETURNING u.next_turn),
    begun AS (
      INSERT INTO enhancement_usage AS u (account_id, period, used, allowed, next_turn, batch_next_turn)
      SELECT $1, $3, $21::int, $4::int, first.next_turn, first.next_turn FROM source, storage, first
       WHERE storage.has_room AND $4::int >= $21::int
         AND NOT EXISTS (SELECT 1 FROM enhancement_usage WHERE account_id = $1 AND period = $3)
      ON CONFLICT (account_id, period) DO UPDATE
         SET used = u.used + $21::int, allowed = coalesce(u.allowed, $4::int), ${nextTurns('excluded', '(SELECT price FROM price)')}
       WHERE u.used + $21::int <= $4::int
      RETURNING next_turn),
    quota AS (SELECT next_turn FROM counted UNION ALL SELECT next_turn FROM begun),
    job AS (
      ${insertQueuedJobs(
        {
          id: '$5',
          account_id: '$1',
          source_id: '$6',
          operation: '$7',
          level: '$8',
          output: '$9::jsonb',
          metadata: '$10::jsonb',
          promise: '$16::jsonb',
          source_pixels: '$11::int',
          period: '$3',
          created_at: databaseNow('$12::timestamptz'),
          traceparent: '$19::text',
          request_hash: '$24::bytea',
          turn: 'quota.next_turn - price.price - place.lag',
          clock_turn: 'quota.next_turn - price.price',
          steps: '$20::jsonb',
          enhancements: '$21::int',
          work_pixels: '$22::bigint',
          preset: '$23::text',
          callback_url: '$25',
          cancel_at: databaseTime('$26::timestamptz', '$12::timestamptz'),
          expires_in: '$27::int',
          retention: '$28',
          batch_id: 'NULL',
          batch_index: 'NULL::int',
        },
        'quota, price, place',
      )}
      RETURNING id, created_at, cancel_at),
    ledger AS (
      INSERT INTO quota_ledger (job_id, kind, account_id, period, key_id, enhancements)
      SELECT id, 'reserve', $1, $3, $17, $21::int FROM job WHERE $21::int > 0),
    event AS (
      INSERT INTO events (id, account_id, type, data, created_at, traceparent)
      SELECT e.id, $1, e.type, ${withDatabaseTimes('$15::jsonb', 'job', '$12::timestamptz')}, job.created_at, $19::text
        FROM job, unnest($13::text[], $14::text[]) AS e (id, type))
    SELECT storage.has_room AS "hasRoom", EXISTS (SELECT 1 FROM source) AS "hasSource",
           job.created_at AS "createdAt", job.cancel_at AS "cancelAt" FROM storage LEFT JOIN job ON true`,
};

/** `stepColumns` says what it does and costs. */
export interface NewJob extends StepColumns, JobTerms {
  readonly id: string;
  readonly sourceId: string;
  readonly output: JobOutput;
  readonly metadata: Record<string, string>;
  /** Name of the preset that the client asked for. */
  readonly preset: string | null;
  readonly sourcePixels: number;
  /** 32 bytes, see `requestHash`. */
  readonly requestHash: Buffer;
  readonly period: string;
  readonly createdAt: Date;
}

/** The times of a new job, on the clock of the database. */
export interface CreatedJob {
  readonly createdAt: Date;
  readonly cancelAt: Date | null;
}

export type CreationRefusal = 'source_deleted' | 'storage_full' | 'enhancements_used_up';

/** The row that says what happened. The times are null if no job was created. */
interface CreationRow {
  readonly hasRoom: boolean;
  readonly hasSource: boolean;
  readonly createdAt: Date | null;
  readonly cancelAt: Date | null;
}

@Injectable()
export class JobCreationRepository {
  /** `event` is the data of `enhancement.queued`. */
  async create(
    on: Queryable,
    principal: Principal,
    job: NewJob,
    event: Record<string, unknown>,
  ): Promise<CreatedJob | CreationRefusal> {
    const { ids, types } = eventRows('enhancement.queued');
    const [row] = await on.query<CreationRow>(CREATE, [
      principal.accountId,
      principal.limits.storageBytes,
      job.period,
      principal.limits.enhancements,
      job.id,
      job.sourceId,
      job.operation,
      job.level,
      JSON.stringify(job.output),
      JSON.stringify(job.metadata),
      job.sourcePixels,
      job.createdAt,
      ids,
      types,
      JSON.stringify(event),
      JSON.stringify(job.promise),
      principal.keyId,
      workKind(job.operation, job.level, job.promise),
      currentTraceparent() ?? null,
      job.steps && JSON.stringify(job.steps),
      job.enhancements,
      job.workPixels,
      job.preset,
      job.requestHash,
      job.callbackUrl,
      job.cancelAt,
      job.expiresIn,
      job.retention,
    ]);
    const { createdAt, cancelAt, hasSource, hasRoom } = row!;
    if (createdAt !== null) return { createdAt, cancelAt };
    if (!hasSource) return 'source_deleted';
    return hasRoom ? 'enhancements_used_up' : 'storage_full';
  }
}
