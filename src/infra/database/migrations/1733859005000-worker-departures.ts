import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a worker stopped taking jobs. Workers that wait for their turn to exit count those that have not returned. */
export class WorkerDepartures1733859005000 implements MigrationInterface {
  readonly name = 'WorkerDepartures1733859005000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE model_workers ADD COLUMN left_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE model_workers DROP COLUMN left_at');
  }
}
