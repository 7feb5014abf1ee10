import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** The deadline of a job, and how long its images are kept. */
export class JobTerms1733492000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the previous version can ignore them.
    for (const column of COLUMNS) await runner.query(`ALTER TABLE jobs ADD COLUMN IF NOT EXISTS ${column}`);
    await createIndexConcurrently(
      runner,
      'jobs_cancel_at',
      `jobs (cancel_at) WHERE cancel_at IS NOT NULL AND status IN ('queued', 'processing')`,
    );
  }
}

const COLUMNS = [
  'cancel_at timestamptz',
  'expires_in integer',
  'retention text',
  'delivered_bytes bigint',
] as const;
