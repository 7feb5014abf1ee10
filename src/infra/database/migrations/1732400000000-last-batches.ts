import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What ran last in each worker, so that the dashboard can show it. */
export class LastBatches1732400000000 implements MigrationInterface {
  readonly name = 'LastBatches1732400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE model_workers ADD COLUMN last_batches jsonb NOT NULL DEFAULT '{}'::jsonb`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE model_workers DROP COLUMN last_batches`);
  }
}
