import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** When a worker stopped taking jobs. Workers that wait for their turn to exit count those that have not returned. */
export class WorkerDepartures1733859005000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE model_workers ADD COLUMN left_at timestamptz');
  }
}
