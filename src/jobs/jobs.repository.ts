import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../infra/database/batch-loader.js';
import { Database, type Prepared, type Queryable } from '../infra/database/database.js';
import type { SentBytes } from '../uploads/files/sent-bytes.js';
import type { JobRetention } from './creation/job-retention.js';
import { JOBS_WITH_SOURCE, jobListQuery, type JobFilter } from './job-list-query.js';
import type { JobWithSource } from './job-presenter.js';
import { awaitsNoRetry, isUnneededSource } from './queue/needed-source.sql.js';

const FIND_TOGETHER: Prepared = {
  name: 'job_find_together',
  text: `${JOBS_WITH_SOURCE} WHERE j.id = ANY($1::text[])`,
};

const FIND_ANY: Prepared = { name: 'job_find_any', text: `${JOBS_WITH_SOURCE} WHERE j.id = $1` };

/** The source of a failed job that has a retention expires at once: see `FAILED_EXPIRY`. */
const MARK_DELETED: Prepared = {
  name: 'job_mark_deleted',
  text: `UPDATE jobs SET deleted_at = now(),
                result_expires_at = CASE WHEN status = 'failed' AND retention IS NOT NULL
                                         THEN least(result_expires_at, now()) ELSE result_expires_at END
          WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL AND status IN ('completed', 'failed')`,
};

/**
 * Extends the part of the result, from its start, that was sent. A response that starts after that part changes
 * nothing. A result that was sent completely expires: if the process dies before it erases the result, the sweeper
 * does.
 */
const NOTE_DELIVERED: Prepared = {
  name: 'job_note_delivered',
  text: `UPDATE jobs SET delivered_bytes = greatest(coalesce(delivered_bytes, 0), least($3::bigint, result_bytes)),
                result_expires_at = CASE WHEN $3::bigint >= result_bytes THEN least(result_expires_at, now())
                                         ELSE result_expires_at END
          WHERE id = $1 AND retention IS NOT NULL AND result_erased_at IS NULL AND coalesce(delivered_bytes, 0) >= $2::bigint
         RETURNING delivered_bytes >= result_bytes AS "isComplete"`,
};

/**
 * Erases a source unless another job, its retry or a preset still needs it. Returns its objects. If nobody deletes them, the
 * dispatcher does.
 */
const ERASE_SOURCE: Prepared = {
  name: 'job_erase_source',
  text: `WITH gone AS (
           UPDATE sources s SET deleted_at = now(), name = NULL
            WHERE s.id = $1 AND s.deleted_at IS NULL
              AND ${isUnneededSource('s')}
              AND ${awaitsNoRetry('s')}
           RETURNING s.id, s.account_id, s.object_key, s.bytes),
         storage AS (
           UPDATE storage_usage u SET used_bytes = greatest(0, u.used_bytes - gone.bytes)
             FROM gone WHERE u.account_id = gone.account_id)
         INSERT INTO object_erasures (object_key)
         SELECT object_key FROM gone UNION ALL SELECT 'thumbnails/' || id || '.webp' FROM gone ON CONFLICT DO NOTHING
         RETURNING object_key AS key`,
};

/** Also failed jobs that have no result, but a source to erase. */
const MARK_ERASED: Prepared = {
  name: 'job_mark_erased',
  text: `UPDATE jobs SET result_erased_at = now()
          WHERE id = $1 AND result_erased_at IS NULL
            AND (result_key IS NOT NULL OR status = 'failed' AND retention IS NOT NULL)
         RETURNING account_id AS "accountId", result_key AS "resultKey",
                   coalesce(result_bytes, 0)::float8 AS "resultBytes", source_id AS "sourceId", retention`,
};

const EXPIRED_RESULTS: Prepared = {
  name: 'job_expired_results',
  text: `(SELECT id FROM jobs WHERE result_key IS NOT NULL AND result_erased_at IS NULL AND result_expires_at < now()
           ORDER BY result_expires_at LIMIT $1)
         UNION (SELECT id FROM jobs
           WHERE result_key IS NOT NULL AND result_erased_at IS NULL AND deleted_at IS NOT NULL LIMIT $1)
         UNION (SELECT id FROM jobs
           WHERE status = 'failed' AND result_erased_at IS NULL AND result_expires_at < now()
           ORDER BY result_expires_at LIMIT $1)`,
};

/** What an erased result leaves to do. */
export interface ErasedResult {
  readonly accountId: string;
  /** Null for a failed job. */
  readonly resultKey: string | null;
  /** Bytes to free. */
  readonly resultBytes: number;
  readonly sourceId: string;
  readonly retention: JobRetention | null;
}

/** Reads jobs and erases results. JobLeaseRepository changes the state of jobs. */
@Injectable()
export class JobsRepository {
  private readonly reads = new BatchLoader((ids: readonly string[]) => this.readTogether(ids));

  constructor(private readonly database: Database) {}

  /** Includes deleted jobs. Concurrent polls share a statement. */
  async read(accountId: string, id: string): Promise<JobWithSource | undefined> {
    const job = await this.readById(id);
    return job?.accountId === accountId ? job : undefined;
  }

  /** Regardless of the account: the caller checks it. */
  readById(id: string): Promise<JobWithSource | undefined> {
    return this.reads.load(id);
  }

  /** For holders of a signed URL, a claim or a lease, regardless of the account. */
  async findById(id: string, on: Queryable = this.database): Promise<JobWithSource | undefined> {
    return (await on.query<JobWithSource>(FIND_ANY, [id]))[0];
  }

  private async readTogether(ids: readonly string[]): Promise<readonly (JobWithSource | undefined)[]> {
    const rows = await this.database.query<JobWithSource>(FIND_TOGETHER, [[...new Set(ids)]]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }

  /** Newest first, one more than `limit`. */
  async list(accountId: string, filter: JobFilter, limit: number): Promise<JobWithSource[]> {
    const { text, values } = jobListQuery(accountId, filter, limit + 1);
    return this.database.lists.query<JobWithSource>(text, values);
  }

  /** Marks an ended job as deleted. Does nothing when it is missing, not ended, or already deleted. */
  async markDeleted(tx: Queryable, accountId: string, id: string): Promise<void> {
    await tx.query(MARK_DELETED, [accountId, id]);
  }

  /** Marks a result as erased. Returns the bytes to free and the object to delete, if any. */
  async markErased(tx: Queryable, id: string): Promise<ErasedResult | undefined> {
    return (await tx.query<ErasedResult>(MARK_ERASED, [id]))[0];
  }

  /** Erases a source that only ended jobs were made from, and frees its storage. Returns the objects to delete. */
  async eraseSource(tx: Queryable, sourceId: string): Promise<string[]> {
    return (await tx.query<{ key: string }>(ERASE_SOURCE, [sourceId])).map(({ key }) => key);
  }

  /** Notes what a reader was sent of a result. True when all of it was sent by now. */
  async noteDelivered(id: string, { start, bytes, isFinished }: SentBytes): Promise<boolean> {
    // The last bytes of a connection that broke may be lost.
    const sent = start + (isFinished ? bytes : Math.max(0, bytes - 1));
    const [row] = await this.database.query<{ isComplete: boolean }>(NOTE_DELIVERED, [id, start, sent]);
    return row?.isComplete === true;
  }

  /** Ids of jobs whose result has expired, or that were deleted while it existed. Also failed ones: `FAILED_EXPIRY`. */
  async expiredResults(limit: number): Promise<string[]> {
    return (await this.database.query<{ id: string }>(EXPIRED_RESULTS, [limit])).map((row) => row.id);
  }
}
