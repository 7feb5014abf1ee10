import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { isTestAccountSql } from '../../kernel/accounts/livemode.js';
import { IS_FAILED, JOB_MS } from '../load/samples.sql.js';

/** Minutes of jobs that an overview covers. */
export const RECENT_MINUTES = 5;

/** Maximum number of newest jobs that are used for the quantiles. Sorting more would take longer and change little. */
const MAX_SORTED = 20_000;

const IS_RECENT = `j.completed_at >= now() - interval '${RECENT_MINUTES} minutes'
                   AND NOT ${isTestAccountSql('j.account_id')}`;

const quantile = (q: number): string => `percentile_cont(${q}) WITHIN GROUP (ORDER BY j.ms)::float8`;

/** Counts every job; the quantiles are those of the newest completed ones. */
const RECENT: Prepared = {
  name: 'overview_recent_jobs',
  text: `WITH counted AS (
           SELECT j.operation, count(*)::int AS jobs, count(*) FILTER (WHERE ${IS_FAILED})::int AS failed
             FROM jobs j WHERE ${IS_RECENT} GROUP BY GROUPING SETS ((j.operation), ())),
         timed AS (
           SELECT j.operation, ${quantile(0.5)} AS p50, ${quantile(0.99)} AS p99
             FROM (SELECT j.operation, ${JOB_MS} AS ms FROM jobs j WHERE ${IS_RECENT} AND j.status = 'completed'
                    ORDER BY j.completed_at DESC LIMIT ${MAX_SORTED}) j
            GROUP BY GROUPING SETS ((j.operation), ()))
         SELECT c.operation, c.jobs, c.failed, t.p50 AS "p50Ms", t.p99 AS "p99Ms"
           FROM counted c LEFT JOIN timed t ON t.operation IS NOT DISTINCT FROM c.operation`,
};

const DATABASE: Prepared = {
  name: 'overview_database',
  text: `SELECT pg_database_size(current_database())::float8 AS "sizeBytes",
                (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections,
                current_setting('max_connections')::int AS "maxConnections",
                current_setting('server_version') AS version`,
};

/** The jobs that ended in the last minutes, of one operation or of all. */
export interface RecentJobs {
  /** Null for the total of all operations. */
  readonly operation: string | null;
  readonly jobs: number;
  readonly failed: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

export interface DatabaseFigures {
  readonly sizeBytes: number;
  readonly connections: number;
  readonly maxConnections: number;
  readonly version: string;
}

/** The current figures that come from the database. */
@Injectable()
export class OverviewRepository {
  constructor(private readonly database: Database) {}

  recentJobs(): Promise<RecentJobs[]> {
    return this.database.query<RecentJobs>(RECENT);
  }

  async figures(): Promise<DatabaseFigures> {
    const [row] = await this.database.query<DatabaseFigures>(DATABASE);
    return row!;
  }
}
