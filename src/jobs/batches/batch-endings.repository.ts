import { Injectable } from '@nestjs/common';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import type { ImageFormat } from '../../kernel/operations.js';
import { JOBS_WITH_SOURCE } from '../job-list-query.js';
import type { JobWithSource } from '../job-presenter.js';
import { FAILED_EXPIRY } from '../queue/failed-expiry.sql.js';
import { TURN_REFUND } from '../queue/fair-queue.repository.js';

const MARK_CANCELED: Prepared = {
  name: 'batch_mark_canceled',
  text: `UPDATE batches SET canceled_at = now() WHERE id = $1 AND completed_at IS NULL`,
};

/** Skips jobs that another transaction is ending or renewing, so that no two of them can deadlock. */
const CANCEL_JOBS: Prepared = {
  name: 'batch_cancel_jobs',
  text: `WITH open AS (
           SELECT id FROM jobs WHERE batch_id = $1 AND status IN ('queued', 'processing')
            ORDER BY id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
         UPDATE jobs SET status = 'failed', error_code = 'canceled', error_message = NULL, completed_at = now(),
                ${FAILED_EXPIRY}, lease_token = NULL, lease_expires_at = NULL
           FROM open WHERE jobs.id = open.id RETURNING jobs.id`,
};

/**
 * Also gives back what is left of the cost of the items that no worker has started. See the statement that fails a
 * single job.
 */
const REFUND: Prepared = {
  name: 'batch_refund',
  text: `WITH ended AS (
           SELECT id, account_id, period, enhancements, ${TURN_REFUND} AS turns
             FROM jobs WHERE id = ANY ($1::text[])),
         settled AS (
           INSERT INTO quota_ledger (job_id, kind, account_id, period, enhancements)
           SELECT id, 'refund', account_id, period, enhancements FROM ended WHERE enhancements > 0
           ON CONFLICT DO NOTHING RETURNING job_id, enhancements),
         refund AS (
           SELECT account_id, period, coalesce(sum(s.enhancements), 0)::int AS enhancements, sum(turns)::bigint AS turns
             FROM ended LEFT JOIN settled s ON s.job_id = ended.id GROUP BY account_id, period)
         UPDATE enhancement_usage u
            SET used = greatest(0, u.used - r.enhancements), batch_next_turn = greatest(0, u.batch_next_turn - r.turns)
           FROM refund r WHERE u.account_id = r.account_id AND u.period = r.period`,
};

const IS_OPEN: Prepared = {
  name: 'batch_is_open',
  text: `SELECT 1 FROM jobs WHERE batch_id = $1 AND status IN ('queued', 'processing') LIMIT 1`,
};

const JOBS: Prepared = {
  name: 'batch_jobs_by_id',
  text: `${JOBS_WITH_SOURCE} WHERE j.id = ANY ($1::text[]) ORDER BY j.id`,
};

/** Waits for another retry of the batch. Rows are not locked, since transactions that end items lock them last. */
const LOCK_RETRIES: Prepared = {
  name: 'batch_lock_retries',
  text: `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`,
};

/** Earlier versions ran an item again for an operator as a job outside of the batch, with a row in `job_reruns`. */
const RETRYABLE: Prepared = {
  name: 'batch_retryable',
  text: `SELECT j.id, j.source_id AS "sourceId", s.format AS "sourceFormat", j.batch_index AS index,
                j.error_code = 'canceled' AS "isCanceled"
           FROM jobs j JOIN sources s ON s.id = j.source_id
          WHERE j.batch_id = $1 AND j.retried_as IS NULL AND j.status = 'failed' AND j.deleted_at IS NULL
            AND ($2 OR j.error_code <> 'canceled')
            AND NOT EXISTS (SELECT FROM job_reruns r WHERE r.job_id = j.id)
          ORDER BY j.batch_index`,
};

const MARK_RETRIED: Prepared = {
  name: 'batch_mark_retried',
  text: `UPDATE jobs j SET retried_as = r.new_id FROM unnest($1::text[], $2::text[]) AS r (id, new_id) WHERE j.id = r.id`,
};

/** A failed item. */
export interface FailedItem {
  readonly id: string;
  readonly sourceId: string;
  readonly sourceFormat: ImageFormat;
  readonly index: number;
  readonly isCanceled: boolean;
}

/** Cancels and retries the items of a batch, in a few statements however many there are. Only in a transaction. */
@Injectable()
export class BatchEndingsRepository {
  async markCanceled(tx: Queryable, batchId: string): Promise<void> {
    await tx.query(MARK_CANCELED, [batchId]);
  }

  /** Cancels up to `limit` jobs that nobody else is changing. Returns them. */
  async cancelJobs(tx: Queryable, batchId: string, limit: number): Promise<readonly JobWithSource[]> {
    const rows = await tx.query<{ id: string }>(CANCEL_JOBS, [batchId, limit]);
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    await tx.query(REFUND, [ids]);
    return tx.query<JobWithSource>(JOBS, [ids]);
  }

  async isOpen(tx: Queryable, batchId: string): Promise<boolean> {
    return (await tx.query(IS_OPEN, [batchId])).length > 0;
  }

  /** The failed items, in order. No other transaction retries them until the end of this one. */
  async lockRetryable(tx: Queryable, batchId: string, includeCanceled: boolean): Promise<FailedItem[]> {
    await tx.query(LOCK_RETRIES, [`batch retry:${batchId}`]);
    return this.retryable(tx, batchId, includeCanceled);
  }

  /** Like `lockRetryable`, but others may retry them meanwhile. */
  retryable(on: Queryable, batchId: string, includeCanceled: boolean): Promise<FailedItem[]> {
    return on.query<FailedItem>(RETRYABLE, [batchId, includeCanceled]);
  }

  /** Replaces failed items with new jobs. */
  async markRetried(
    tx: Queryable,
    replaced: readonly { readonly id: string; readonly newId: string }[],
  ): Promise<void> {
    await tx.query(MARK_RETRIED, [replaced.map(({ id }) => id), replaced.map(({ newId }) => newId)]);
  }
}
