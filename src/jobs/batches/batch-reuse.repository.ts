import { Injectable } from '@nestjs/common';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { currentTraceparent } from '../../infra/telemetry/tracing/work-context.js';
import type { Principal } from '../../kernel/principal.js';
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
      INSERT INTO jobs (id, account_id, source_id, operation, level, output, metadata, promise, status, progress, attempts,
             claims, model, device, precision, timings, source_pixels, period, result_key, result_format, result_width, result_height,
             result_bytes, result_sha256, result_crc32, result_applied, result_expires_at, created_at, started_at, completed_at,
             traceparent, request_hash, cached, key_id, steps, enhancements, work_pixels, preset,
             expires_in, retention, batch_id, batch_index)
      SELECT item.id, $1, item.source_id, h.operation, h.level, h.output, $6::jsonb, h.promise, 'completed', 1, 0,
             0, h.model, h.device, h.precision, item.timings, h.source_pixels, $7, item.result_key, h.result_format, h.result_width, h.result_height,
             h.result_bytes, h.result_sha256, h.result_crc32, h.result_applied, item.expires_at, $8::timestamptz, $8::timestamptz, item.completed_at,
             $9::text, h.request_hash, true, $10, item.steps, 0, h.work_pixels, $11::text,
             $12::int, $13::text, $14, item.batch_index
        FROM item JOIN jobs h ON h.id = item.original_id, storage ORDER BY item.id
      RETURNING 1)
    SELECT EXISTS (SELECT 1 FROM storage) AS "hasRoom", (SELECT count(*) FROM job)::int AS created`,
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

/** Writes the items of a batch that are completed at once, in one statement. Requires a transaction. */
@Injectable()
export class BatchReuseRepository {
  /** Locks the storage counter until the transaction ends. */
  async lockStorage(tx: Queryable, accountId: string): Promise<void> {
    await tx.query(LOCK_STORAGE, [accountId]);
  }

  /** @param items at least one @returns whether all of them were created; false also when the storage is full */
  async insert(
    tx: Queryable,
    { accountId, keyId, limits }: Principal,
    batchId: string,
    items: readonly ReusedItem[],
  ): Promise<{ readonly hasRoom: boolean; readonly created: number }> {
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
    const [row] = await tx.query<{ hasRoom: boolean; created: number }>(INSERT, [
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
    return row!;
  }
}
