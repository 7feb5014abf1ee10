import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The last batches that each worker ran, so that the dashboard can show them. */
export class LastBatches1732400000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE model_workers ADD COLUMN last_batches jsonb NOT NULL DEFAULT '{}'::jsonb`,
    );
  }
}
