import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import type { JobStatus } from '../../kernel/operations.js';

const last = (status: JobStatus): string => `(
  SELECT id, status, error_code, device, timings, completed_at FROM jobs
   WHERE account_id = $1 AND operation = o.operation AND status = '${status}' AND deleted_at IS NULL
   ORDER BY id COLLATE "C" DESC LIMIT 100)`;

/** The last 100 jobs of each operation, through the index that lists the account's jobs. */
const RECENT: Prepared = {
  name: 'dashboard_recent_jobs',
  text: `SELECT o.operation, count(*) FILTER (WHERE j.status = 'completed')::int AS completed,
                count(*) FILTER (WHERE j.status = 'failed' AND j.error_code <> 'canceled')::int AS failed,
                (array_agg(j.device ORDER BY j.id DESC) FILTER (WHERE j.device IS NOT NULL))[1] AS device,
                percentile_cont(0.5) WITHIN GROUP (ORDER BY (j.timings ->> 'inferenceMs')::float8) AS "inferenceMsMedian",
                max(j.completed_at) AS "lastAt"
           FROM unnest($2::text[]) AS o (operation),
                LATERAL (SELECT id, status, error_code, device, timings, completed_at FROM (
                           ${last('completed')} UNION ALL ${last('failed')}) ended ORDER BY id DESC LIMIT 100) j
          GROUP BY o.operation`,
};

export interface RecentJobs {
  readonly completed: number;
  readonly failed: number;
  readonly device: string | null;
  readonly inferenceMsMedian: number | null;
  readonly lastAt: Date | null;
}

const NONE: RecentJobs = { completed: 0, failed: 0, device: null, inferenceMsMedian: null, lastAt: null };

@Injectable()
export class RecentJobsRepository {
  constructor(private readonly database: Database) {}

  /** The results of an account's last jobs of each of these operations. */
  async of(accountId: string, operations: readonly string[]): Promise<(operation: string) => RecentJobs> {
    const rows = await this.database.query<RecentJobs & { operation: string }>(RECENT, [
      accountId,
      operations,
    ]);
    const byOperation = new Map(rows.map(({ operation, ...recent }) => [operation, recent]));
    return (operation) => byOperation.get(operation) ?? NONE;
  }
}
