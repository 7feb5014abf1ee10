import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What each waiting job asks of its worker, and what each worker can run: so that a worker finds its next job however
 * many others wait for another worker, and a job that nobody can run is noticed.
 *
 * Jobs cannot be written while the index is built: that is one reading of the table, and only what waits is sorted. Not
 * CONCURRENTLY: it waits for every statement that began before it, and another process that waits for the lock of
 * migrations is one, so that both would wait for each other; and broken off it leaves an index that does not count.
 */
export class JobKinds1732600000000 implements MigrationInterface {
  readonly name = 'JobKinds1732600000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE INDEX jobs_queued_kind ON jobs ((operation || '/' || level || '/' ||
         coalesce((promise->>'scale') || '/' || (promise->>'producesAlpha'), 'any')), turn, id)
        WHERE status = 'queued' AND deleted_at IS NULL`,
      `ALTER TABLE model_workers ADD COLUMN kinds text[] NOT NULL DEFAULT '{}'`,
    ])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [`ALTER TABLE model_workers DROP COLUMN kinds`, `DROP INDEX jobs_queued_kind`])
      await runner.query(statement);
  }
}
