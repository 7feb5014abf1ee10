import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { isTestAccountSql } from '../../kernel/accounts/livemode.js';

/** Weight that earlier measurements keep with each report. */
const FADING = 0.9;
/** Without measurements: about the speed of a CPU. */
const FIRST_SECONDS_PER_PIXEL = 1e-6;

/**
 * Seconds that a worker needs for a job of any size, for records, files and codecs. The rates count only pixels, so
 * thousands of icons would seem to take no time. 30 photos of 60 × 50 pixels took 3.9 s on two busy cores.
 */
export const SECONDS_PER_JOB = 0.1;

/** Seconds of one worker per source pixel over all operations, in SQL. */
export const AVERAGE_RATE = `SELECT coalesce(sum(seconds) / nullif(sum(pixels), 0), ${FIRST_SECONDS_PER_PIXEL}) AS seconds FROM work_rates`;

const REPORT: Prepared = {
  name: 'work_report',
  text: `INSERT INTO work_rates AS r (operation, level, pixels, seconds)
         SELECT * FROM unnest($1::text[], $2::text[], $3::float8[], $4::float8[])
         ON CONFLICT (operation, level) DO UPDATE
            SET pixels = r.pixels * ${FADING} + excluded.pixels, seconds = r.seconds * ${FADING} + excluded.seconds,
                updated_at = now()`,
};

/** The steps after the first of jobs in a state, in SQL, with the operation and level of their job. */
export const laterSteps = (status: 'queued' | 'processing'): string =>
  `SELECT j.account_id, j.batch_id, j.progress, j.operation AS job_operation, j.level AS job_level, s.step->>'operation' AS operation,
          s.step->>'level' AS level, (s.step->>'pixels')::float8 AS source_pixels
     FROM jobs j CROSS JOIN LATERAL jsonb_array_elements(j.steps) WITH ORDINALITY AS s (step, n)
    WHERE j.status = '${status}' AND j.steps IS NOT NULL AND s.n > 1 AND NOT ${isTestAccountSql('j.account_id')}`;

/** Queued test jobs, in SQL. They always have steps, so that the short index of these jobs finds them. */
const QUEUED_TEST_JOBS = `status = 'queued' AND steps IS NOT NULL AND ${isTestAccountSql('account_id')}`;

const COUNT_TEST_JOBS: Prepared = {
  name: 'work_queued_test_jobs',
  text: `SELECT count(*)::int AS jobs FROM jobs WHERE ${QUEUED_TEST_JOBS}`,
};

/** Creation of the oldest queued job of an operation and level that is not a test job. */
const OLDEST_LIVE = `
  SELECT min(j.created_at) FROM jobs j
   WHERE j.status = 'queued' AND j.operation = q.operation AND j.level = q.level AND NOT ${isTestAccountSql('j.account_id')}`;

/**
 * An operation without measurements counts as an average one. A job counts with its first operation. Test jobs, which
 * need no model, are subtracted: the index that counts all jobs does not tell them apart, and that of steps is short.
 * Only while test jobs wait does the oldest live job need the jobs themselves.
 */
const QUEUED: Prepared = {
  name: 'work_queued',
  text: `WITH average AS (${AVERAGE_RATE}),
         later AS (
           SELECT job_operation AS operation, job_level AS level,
                  sum(s.source_pixels * coalesce(r.seconds / r.pixels, average.seconds)) AS seconds
             FROM (${laterSteps('queued')}) s CROSS JOIN average LEFT JOIN work_rates r USING (operation, level)
            GROUP BY job_operation, job_level)
         SELECT q.operation, q.level, q.jobs - coalesce(test.jobs, 0)::float8 AS jobs,
                greatest(0, extract(epoch FROM now() - CASE WHEN test.jobs IS NULL THEN q.oldest
                                                            ELSE (${OLDEST_LIVE}) END))::float8 AS "oldestSeconds",
                (q.pixels - coalesce(test.pixels, 0)) * coalesce(r.seconds / r.pixels, average.seconds)
                  + (q.jobs - coalesce(test.jobs, 0)) * ${SECONDS_PER_JOB}::float8
                  + coalesce(later.seconds, 0) AS "workSeconds"
           FROM (SELECT operation, level, count(*) AS jobs, sum(source_pixels)::float8 AS pixels,
                        min(created_at) AS oldest
                   FROM jobs WHERE status = 'queued' GROUP BY operation, level) q
           LEFT JOIN (SELECT operation, level, count(*) AS jobs, sum(source_pixels)::float8 AS pixels FROM jobs
                       WHERE ${QUEUED_TEST_JOBS} GROUP BY operation, level) test USING (operation, level)
           CROSS JOIN average LEFT JOIN work_rates r USING (operation, level)
           LEFT JOIN later USING (operation, level)
          WHERE q.jobs > coalesce(test.jobs, 0)`,
};

/** Throughput of a worker: source pixels and seconds. */
export interface WorkDone {
  readonly operation: string;
  readonly level: string;
  readonly pixels: number;
  /** Seconds of one worker; concurrent jobs share its time. */
  readonly seconds: number;
}

export interface QueuedWork {
  readonly operation: string;
  readonly level: string;
  readonly jobs: number;
  /** Seconds that one worker needs for them, by recent measurements. */
  readonly workSeconds: number;
  /** Age of the oldest of these jobs. */
  readonly oldestSeconds: number;
}

/** Queued work, in seconds of one worker. */
@Injectable()
export class QueueWorkRepository {
  constructor(private readonly database: Database) {}

  /** Adds the measurements of a worker. Each operation and level at most once. */
  async report(work: readonly WorkDone[]): Promise<void> {
    await this.database.query(REPORT, [
      work.map(({ operation }) => operation),
      work.map(({ level }) => level),
      work.map(({ pixels }) => pixels),
      work.map(({ seconds }) => seconds),
    ]);
  }

  /** What waits, of live and of test mode. */
  async waiting(): Promise<{ queued: readonly QueuedWork[]; testJobs: number }> {
    const [queued, testJobs] = await Promise.all([this.queued(), this.queuedTestJobs()]);
    return { queued, testJobs };
  }

  async queued(): Promise<readonly QueuedWork[]> {
    return this.database.query<QueuedWork>(QUEUED);
  }

  /** The number of queued test jobs. They need a worker, but no model. */
  async queuedTestJobs(): Promise<number> {
    const [row] = await this.database.query<{ jobs: number }>(COUNT_TEST_JOBS);
    return row!.jobs;
  }
}
