import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The precision with which a job was computed. It is not part of `model`, which identifies equal results. */
export class JobPrecision1733600008000 implements MigrationInterface {
  readonly name = 'JobPrecision1733600008000';

  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the previous version can ignore it.
    await runner.query('ALTER TABLE jobs ADD COLUMN precision text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN precision');
  }
}
