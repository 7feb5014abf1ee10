import { Injectable } from '@nestjs/common';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { currentTraceparent } from '../../infra/telemetry/tracing/work-context.js';
import type { Principal } from '../../kernel/principal.js';
import { workKind } from '../../models/repository/work-kind.js';
import type { NewJob } from '../creation/job-creation.repository.js';
import { insertQueuedJobs } from '../creation/queued-job.sql.js';
import { databaseNow, databaseTime } from '../database-time.sql.js';
import { TURN_PRICE } from '../queue/fair-queue.repository.js';
import { JOB_KIND } from '../queue/job-kind.sql.js';
import { turnPlace } from '../queue/turn-place.sql.js';
import { type Batch, BATCH_COLUMNS, type BatchRequest } from './batch.js';

const HAS_ROOM = `coalesce((SELECT used_bytes FROM storage_usage WHERE account_id = $1), 0) < $2::bigint AS "hasRoom"`;

/** Locks the counter of the month, so that its value holds until the transaction ends. */
const LOCK_QUOTA: Prepared = {
  name: 'batch_lock_quota',
  text: `INSERT INTO enhancement_usage AS u (account_id, period, used, allowed) VALUES ($1, $3, 0, $4)
         ON CONFLICT (account_id, period) DO UPDATE SET used = u.used, allowed = coalesce(u.allowed, $4)
         RETURNING used, ${HAS_ROOM}`,
};

const READ_ROOM: Prepared = {
  name: 'batch_read_room',
  text: `SELECT coalesce((SELECT used_bytes FROM storage_usage WHERE account_id = $1), 0) + $3::bigint < $2::bigint AS "hasRoom"`,
};

const INSERT_BATCH: Prepared = {
  name: 'batch_insert',
  text: `INSERT INTO batches (id, account_id, request, total, created_at)
         VALUES ($1, $2, $3, $4, ${databaseNow('$5::timestamptz')})
         RETURNING ${BATCH_COLUMNS}`,
};

/**
 * Takes the enhancements and inserts jobs and ledger rows. Batches of an account have their own queue, so that its
 * single jobs do not wait for them: their jobs start one cost apart, after the single jobs and the batches that
 * already wait. See the statement that creates a single job for the rest.
 */
const CREATE_JOBS: Prepared = {
  name: 'batch_create_jobs',
  text: `
    WITH given AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset($3::jsonb)
        AS g (id text, source_id text, level text, output jsonb, source_pixels int, request_hash text, batch_index int, promise jsonb,
               steps jsonb, enhancements int, work_pixels bigint)),
    item AS MATERIALIZED (
      SELECT *, (sum(${TURN_PRICE}) OVER (ORDER BY id))::bigint - ${TURN_PRICE} AS offset_turn FROM given),
    cost AS (SELECT sum(${TURN_PRICE})::bigint AS turns, sum(enhancements)::int AS enhancements FROM given),
    ${turnPlace('$10')},
    own AS (
      SELECT turn + (SELECT lag FROM place) + ${TURN_PRICE} AS next_turn FROM jobs
       WHERE (SELECT lag FROM place) > 0 AND account_id = $1 AND status = 'queued' AND batch_id IS NOT NULL
         AND (steps IS NOT NULL OR ${JOB_KIND} IN (SELECT kind FROM pool)) ORDER BY turn DESC LIMIT 1),
    last AS (
      SELECT turn + ${TURN_PRICE} AS next_turn FROM jobs
       WHERE account_id = $1 AND status = 'queued' AND batch_id IS NOT NULL ORDER BY turn DESC LIMIT 1),
    quota AS (
      UPDATE enhancement_usage u
         SET used = u.used + cost.enhancements,
             batch_next_turn = cost.turns + greatest(
               place.clock, u.next_turn, u.batch_next_turn, (SELECT next_turn FROM last), (SELECT next_turn FROM own))
        FROM place, cost WHERE u.account_id = $1 AND u.period = $2
      RETURNING u.batch_next_turn - cost.turns AS first_turn, place.lag),
    job AS (
      ${insertQueuedJobs(
        {
          id: 'item.id',
          account_id: '$1',
          source_id: 'item.source_id',
          operation: '$4',
          level: 'coalesce(item.level, $5)',
          output: 'item.output',
          metadata: '$6::jsonb',
          promise: 'item.promise',
          source_pixels: 'item.source_pixels',
          period: '$2',
          created_at: databaseNow('$7::timestamptz'),
          traceparent: '$11::text',
          request_hash: `decode(item.request_hash, 'hex')`,
          turn: 'quota.first_turn + item.offset_turn - quota.lag',
          clock_turn: 'quota.first_turn + item.offset_turn',
          steps: 'item.steps',
          enhancements: 'item.enhancements',
          work_pixels: 'item.work_pixels',
          preset: '$12::text',
          // The callback belongs to the whole batch.
          callback_url: 'NULL',
          cancel_at: databaseTime('$13::timestamptz', '$7::timestamptz'),
          expires_in: '$14::int',
          retention: '$15::text',
          batch_id: '$8',
          batch_index: 'item.batch_index',
        },
        'item, quota ORDER BY item.id',
      )}
      RETURNING id, enhancements)
    INSERT INTO quota_ledger (job_id, kind, account_id, period, key_id, enhancements)
    SELECT id, 'reserve', $1, $2, $9, enhancements FROM job WHERE enhancements > 0`,
};

/** The quota of an account, which cannot change until the transaction ends. */
export interface LockedQuota {
  readonly used: number;
  /** Whether its storage is not full. */
  readonly hasRoom: boolean;
}

/** A new job and its place in the batch. */
export interface BatchJob extends NewJob {
  readonly batchIndex: number;
}

/** Writes batches and their jobs, in a few statements however many there are. Only in a transaction. */
@Injectable()
export class BatchCreationRepository {
  async lockQuota(tx: Queryable, principal: Principal, period: string): Promise<LockedQuota> {
    const { accountId, limits } = principal;
    const [row] = await tx.query<LockedQuota>(LOCK_QUOTA, [
      accountId,
      limits.storageBytes,
      period,
      limits.enhancements,
    ]);
    return row!;
  }

  /** Whether the storage is not full. */
  async hasRoom(on: Queryable, { accountId, limits }: Principal, addedBytes = 0): Promise<boolean> {
    const values = [accountId, limits.storageBytes, addedBytes];
    const [row] = await on.query<Pick<LockedQuota, 'hasRoom'>>(READ_ROOM, values);
    return row!.hasRoom;
  }

  async insertBatch(
    tx: Queryable,
    batch: {
      readonly id: string;
      readonly accountId: string;
      readonly request: BatchRequest;
      readonly total: number;
      readonly createdAt: Date;
    },
  ): Promise<Batch> {
    const { id, accountId, request, total, createdAt } = batch;
    const values = [id, accountId, JSON.stringify(request), total, createdAt];
    return (await tx.query<Batch>(INSERT_BATCH, values))[0]!;
  }

  /** @param jobs at least one; they differ only in id, source, level, output, pixels and index. Call `lockQuota` before. */
  async createJobs(
    tx: Queryable,
    principal: Principal,
    batchId: string,
    jobs: readonly BatchJob[],
  ): Promise<void> {
    const { operation, level, metadata, promise, period, createdAt, preset, cancelAt, expiresIn, retention } =
      jobs[0]!;
    const rows = jobs.map((job) => ({
      id: job.id,
      source_id: job.sourceId,
      level: job.level,
      output: job.output,
      source_pixels: job.sourcePixels,
      request_hash: job.requestHash.toString('hex'),
      batch_index: job.batchIndex,
      promise: job.promise,
      steps: job.steps,
      enhancements: job.enhancements,
      work_pixels: job.workPixels,
    }));
    await tx.query(CREATE_JOBS, [
      principal.accountId,
      period,
      JSON.stringify(rows),
      operation,
      level,
      JSON.stringify(metadata),
      createdAt,
      batchId,
      principal.keyId,
      workKind(operation, level, promise),
      currentTraceparent() ?? null,
      preset,
      cancelAt,
      expiresIn,
      retention,
    ]);
  }
}
