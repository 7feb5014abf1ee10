import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Records which worker serves which model versions, so that an API process promises only what some worker serves. Also
 * records what each job was promised, so that a worker with another version keeps the promise.
 */
export class ModelWorkers1732300000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE model_workers (
        id text PRIMARY KEY,
        host text NOT NULL,
        pid integer NOT NULL,
        device text NOT NULL,
        operations jsonb NOT NULL,
        versions jsonb NOT NULL,
        refusals jsonb NOT NULL,
        state text NOT NULL,
        started_at timestamptz NOT NULL DEFAULT now(),
        seen_at timestamptz NOT NULL DEFAULT now()
      );
      ALTER TABLE jobs ADD COLUMN promise jsonb;`);
  }
}
