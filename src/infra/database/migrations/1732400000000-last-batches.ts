import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last batches that each worker ran, so that the dashboard can show them. */
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
