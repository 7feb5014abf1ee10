import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How often workers gave a job back because of their machine; unlike attempts, these were not the job's
 * doing.
 */
export class MachineFaults1733000000000 implements MigrationInterface {
  readonly name = 'MachineFaults1733000000000';

  async up(runner: QueryRunner): Promise<void> {
    // A constant default is kept in the catalog: no row is rewritten.
    await runner.query('ALTER TABLE jobs ADD COLUMN machine_faults integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN machine_faults');
  }
}
