import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The precision that a job was computed in. Not a part of `model`, by which equal results are found. */
export class JobPrecision1733600008000 implements MigrationInterface {
  readonly name = 'JobPrecision1733600008000';

  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the version before need not know it.
    await runner.query('ALTER TABLE jobs ADD COLUMN precision text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN precision');
  }
}
