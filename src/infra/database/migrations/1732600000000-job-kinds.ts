import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

const QUEUED_KIND = `jobs ((operation || '/' || level || '/' ||
  coalesce((promise->>'scale') || '/' || (promise->>'producesAlpha'), 'any')), turn, id)
  WHERE status = 'queued' AND deleted_at IS NULL`;

/**
 * Stores what each waiting job requires of its worker, and what each worker can run. A worker then finds its next job
 * no matter how many jobs wait for other workers, and a job that no worker can run is detected.
 */
export class JobKinds1732600000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'jobs_queued_kind', QUEUED_KIND);
    await runner.query(
      `ALTER TABLE model_workers ADD COLUMN IF NOT EXISTS kinds text[] NOT NULL DEFAULT '{}'`,
    );
  }
}
