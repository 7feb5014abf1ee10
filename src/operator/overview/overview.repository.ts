import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { isTestAccountSql } from '../../kernel/accounts/livemode.js';
import { IS_FAILED, JOB_MS } from '../load/samples.sql.js';

/** Minutes of jobs that an overview covers. */
export const RECENT_MINUTES = 5;

/** Limit of the jobs that are counted, for very busy installations. */
const MOST_READ = 20_000;

const quantile = (q: number): string =>
  `percentile_cont(${q}) WITHIN GROUP (ORDER BY ${JOB_MS}) FILTER (WHERE j.status = 'completed')::float8`;

const RECENT: Prepared = {
  name: 'overview_recent_jobs',
  text: `SELECT j.operation, count(*)::int AS jobs, count(*) FILTER (WHERE ${IS_FAILED})::int AS failed,
                ${quantile(0.5)} AS "p50Ms", ${quantile(0.99)} AS "p99Ms"
           FROM (SELECT * FROM jobs WHERE completed_at >= now() - interval '${RECENT_MINUTES} minutes'
                  ORDER BY completed_at DESC LIMIT ${MOST_READ}) j
          WHERE NOT ${isTestAccountSql('j.account_id')}
          GROUP BY GROUPING SETS ((j.operation), ())`,
};

const DATABASE: Prepared = {
  name: 'overview_database',
  text: `SELECT pg_database_size(current_database())::float8 AS "sizeBytes",
                (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections,
                current_setting('max_connections')::int AS "maxConnections",
                current_setting('server_version') AS version`,
};

/** The jobs that ended in the last minutes, of one operation or of all. */
export interface RecentJobs extends Record<string, unknown> {
  /** Null for the sum. */
  readonly operation: string | null;
  readonly jobs: number;
  readonly failed: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

export interface DatabaseFigures extends Record<string, unknown> {
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
