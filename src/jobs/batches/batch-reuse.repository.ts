import { Injectable } from '@nestjs/common';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { currentTraceparent } from '../../infra/telemetry/tracing/work-context.js';
import type { Principal } from '../../kernel/principal.js';
import { insertReusedJobs, REUSED_TIMES, type ReusedTimes, reusedTimes } from '../cache/reused-job.sql.js';
import type { JobWithSource } from '../job-presenter.js';

/**
 * Inserts the completed items of a batch, each with a copy of another job's result. `$4`: bytes of all items but the
 * last one, because the last result may exceed the storage quota, as with single jobs.
 */
const INSERT: Prepared = {
  name: 'batch_insert_reused',
  text: `
    WITH storage AS (
      INSERT INTO storage_usage AS u (account_id, used_bytes) SELECT $1, $3::bigint WHERE $4::bigint < $5::bigint
      ON CONFLICT (account_id) DO UPDATE SET used_bytes = u.used_bytes + $3::bigint
       WHERE u.used_bytes + $4::bigint < $5::bigint
      RETURNING 1),
    item AS (
      SELECT * FROM jsonb_to_recordset($2::jsonb)
        AS i (id text, original_id text, source_id text, batch_index int, result_key text, timings jsonb, steps jsonb,
              expires_at timestamptz, completed_at timestamptz)),
    job AS (
      ${insertReusedJobs(
        {
          id: 'item.id',
          account_id: '$1',
          source_id: 'item.source_id',
          metadata: '$6::jsonb',
          timings: 'item.timings',
          steps: 'item.steps',
          period: '$7',
          result_key: 'item.result_key',
          ...reusedTimes('$8::timestamptz', 'item.completed_at', 'item.expires_at'),
          traceparent: '$9::text',
          key_id: '$10',
          preset: '$11::text',
          // The callback belongs to the whole batch.
          callback_url: 'NULL',
          expires_in: '$12::int',
          retention: '$13::text',
          batch_id: '$14',
          batch_index: 'item.batch_index',
        },
        'item JOIN jobs h ON h.id = item.original_id, storage ORDER BY item.id',
      )}
      RETURNING id, created_at, started_at, completed_at, result_expires_at)
    SELECT id, ${REUSED_TIMES} FROM storage LEFT JOIN job ON true`,
};

/** The result of the earlier job was counted, so the account has this row. */
const LOCK_STORAGE: Prepared = {
  name: 'batch_lock_storage',
  text: `SELECT 1 FROM storage_usage WHERE account_id = $1 FOR NO KEY UPDATE`,
};

/** An item that is completed with the result of an earlier job. */
export interface ReusedItem {
  readonly job: JobWithSource;
  readonly originalId: string;
}

/** The times are those of an inserted job, unless the id is null. */
type InsertedRow = ReusedTimes & { readonly id: string | null };

/** Writes the items of a batch that are completed at once, in one statement. Requires a transaction. */
@Injectable()
export class BatchReuseRepository {
  /** Locks the storage counter until the transaction ends. */
  async lockStorage(tx: Queryable, accountId: string): Promise<void> {
    await tx.query(LOCK_STORAGE, [accountId]);
  }

  /**
   * @param items at least one
   * @returns the times of each job by its id, without jobs whose original is gone; undefined when the storage is full
   */
  async insert(
    tx: Queryable,
    { accountId, keyId, limits }: Principal,
    batchId: string,
    items: readonly ReusedItem[],
  ): Promise<ReadonlyMap<string, ReusedTimes> | undefined> {
    const { metadata, period, createdAt, preset, expiresIn, retention } = items[0]!.job;
    const bytes = items.reduce((sum, { job }) => sum + job.resultBytes!, 0);
    const rows = items.map(({ job, originalId }) => ({
      id: job.id,
      original_id: originalId,
      source_id: job.sourceId,
      batch_index: job.batchIndex,
      result_key: job.resultKey,
      timings: job.timings,
      steps: job.steps,
      expires_at: job.resultExpiresAt,
      completed_at: job.completedAt,
    }));
    const inserted = await tx.query<InsertedRow>(INSERT, [
      accountId,
      JSON.stringify(rows),
      bytes,
      bytes - items.at(-1)!.job.resultBytes!,
      limits.storageBytes,
      JSON.stringify(metadata),
      period,
      createdAt,
      currentTraceparent() ?? null,
      keyId,
      preset,
      expiresIn ?? null,
      retention ?? null,
      batchId,
    ]);
    if (inserted.length === 0) return undefined;
    return new Map(inserted.flatMap(({ id, ...times }) => (id === null ? [] : [[id, times]])));
  }
}
