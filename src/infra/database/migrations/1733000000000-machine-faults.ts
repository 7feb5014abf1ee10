import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** How often workers released a job because of a machine fault. Unlike attempts, these were not caused by the job. */
export class MachineFaults1733000000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // PostgreSQL keeps a constant default in its catalog: no row is rewritten.
    await runner.query('ALTER TABLE jobs ADD COLUMN machine_faults integer NOT NULL DEFAULT 0');
  }
}
