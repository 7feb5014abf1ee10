import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';

const QUEUED_KIND = `jobs ((operation || '/' || level || '/' ||
  coalesce((promise->>'scale') || '/' || (promise->>'producesAlpha'), 'any')), turn, id)
  WHERE status = 'queued' AND deleted_at IS NULL`;

/**
 * Stores what each waiting job requires of its worker, and what each worker can run. A worker then finds its next job
 * no matter how many jobs wait for other workers, and a job that no worker can run is detected.
 */
export class JobKinds1732600000000 implements MigrationInterface {
  readonly name = 'JobKinds1732600000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'jobs_queued_kind', QUEUED_KIND);
    await runner.query(
      `ALTER TABLE model_workers ADD COLUMN IF NOT EXISTS kinds text[] NOT NULL DEFAULT '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [`ALTER TABLE model_workers DROP COLUMN kinds`, `DROP INDEX jobs_queued_kind`])
      await runner.query(statement);
  }
}
