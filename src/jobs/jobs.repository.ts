import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../infra/database/batch-loader.js';
import { Database, type Prepared, type Queryable } from '../infra/database/database.js';
import { JOBS_WITH_SOURCE, jobListQuery, type JobFilter } from './job-list-query.js';
import type { JobWithSource } from './job-presenter.js';

const FIND_TOGETHER: Prepared = {
  name: 'job_find_together',
  text: `${JOBS_WITH_SOURCE} WHERE j.id = ANY($1::text[])`,
};

const FIND_ANY: Prepared = { name: 'job_find_any', text: `${JOBS_WITH_SOURCE} WHERE j.id = $1` };

const MARK_DELETED: Prepared = {
  name: 'job_mark_deleted',
  text: `UPDATE jobs SET deleted_at = now()
          WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL AND status IN ('completed', 'failed')`,
};

const MARK_ERASED: Prepared = {
  name: 'job_mark_erased',
  text: `UPDATE jobs SET result_erased_at = now() WHERE id = $1 AND result_key IS NOT NULL AND result_erased_at IS NULL
         RETURNING account_id AS "accountId", result_key AS "resultKey", result_bytes::float8 AS "resultBytes"`,
};

const EXPIRED_RESULTS: Prepared = {
  name: 'job_expired_results',
  text: `(SELECT id FROM jobs WHERE result_key IS NOT NULL AND result_erased_at IS NULL AND result_expires_at < now()
           ORDER BY result_expires_at LIMIT $1)
         UNION (SELECT id FROM jobs
           WHERE result_key IS NOT NULL AND result_erased_at IS NULL AND deleted_at IS NOT NULL LIMIT $1)`,
};

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
    return (await on.query<JobWithSource & Record<string, unknown>>(FIND_ANY, [id]))[0];
  }

  private async readTogether(ids: readonly string[]): Promise<readonly (JobWithSource | undefined)[]> {
    const rows = await this.database.query<JobWithSource & Record<string, unknown>>(FIND_TOGETHER, [
      [...new Set(ids)],
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }

  /** Newest first, one more than `limit`. */
  async list(accountId: string, filter: JobFilter, limit: number): Promise<JobWithSource[]> {
    const { text, values } = jobListQuery(accountId, filter, limit + 1);
    return this.database.lists.query<JobWithSource & Record<string, unknown>>(text, values);
  }

  /** Marks an ended job as deleted. Does nothing when it is missing, not ended, or already deleted. */
  async markDeleted(tx: Queryable, accountId: string, id: string): Promise<void> {
    await tx.query(MARK_DELETED, [accountId, id]);
  }

  /** Marks a result as erased. Returns the bytes to free and the object to delete, if any. */
  async markErased(
    tx: Queryable,
    id: string,
  ): Promise<{ accountId: string; resultKey: string; resultBytes: number } | undefined> {
    return (
      await tx.query<{ accountId: string; resultKey: string; resultBytes: number }>(MARK_ERASED, [id])
    )[0];
  }

  /** Ids of jobs whose result has expired, or that were deleted while it existed. */
  async expiredResults(limit: number): Promise<string[]> {
    return (await this.database.query<{ id: string }>(EXPIRED_RESULTS, [limit])).map((row) => row.id);
  }
}
