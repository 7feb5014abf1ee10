import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

const NAME = 'jobs_failed_expiry';

/** Finds failed jobs whose source is to be erased. Contains few rows: failed jobs with a retention, until it is. */
export class FailedExpiry1733859003000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      NAME,
      `jobs (result_expires_at)
        WHERE status = 'failed' AND result_erased_at IS NULL AND result_expires_at IS NOT NULL`,
    );
  }
}
