import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What each waiting job asks of its worker, and what each worker can run: so that a worker finds its next job however
 * many others wait for another worker, and a job that nobody can run is noticed.
 */
export class JobKinds1732600000000 implements MigrationInterface {
  readonly name = 'JobKinds1732600000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE INDEX jobs_queued_kind ON jobs ((operation || '/' || level || '/' ||
         coalesce((promise->>'scale') || '/' || (promise->>'producesAlpha'), 'any')), turn, id)
        WHERE status = 'queued' AND deleted_at IS NULL`,
      `DROP INDEX jobs_turn`,
      `ALTER TABLE model_workers ADD COLUMN kinds text[] NOT NULL DEFAULT '{}'`,
    ])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE model_workers DROP COLUMN kinds`,
      `CREATE INDEX jobs_turn ON jobs (turn, id) WHERE status = 'queued'`,
      `DROP INDEX jobs_queued_kind`,
    ])
      await runner.query(statement);
  }
}
