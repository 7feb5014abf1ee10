import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

const IS_FAILURE = `WHERE status = 'failed' AND error_code <> 'canceled' AND deleted_at IS NULL`;

/** Failed jobs of all accounts, newest first, and the job with which an operator replaced a failed one. */
export class FailedJobs1733760003000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE IF NOT EXISTS job_reruns (
         job_id text PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
         new_job_id text NOT NULL,
         created_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    // The included columns serve as filters. Few jobs fail, and no row of another account is read.
    await createIndexConcurrently(
      runner,
      'jobs_failures',
      `jobs (id COLLATE "C" DESC) INCLUDE (error_code, operation, account_id) ${IS_FAILURE}`,
    );
    await createIndexConcurrently(
      runner,
      'jobs_failures_code',
      `jobs (error_code, id COLLATE "C" DESC) INCLUDE (operation, account_id) ${IS_FAILURE}`,
    );
  }
}
