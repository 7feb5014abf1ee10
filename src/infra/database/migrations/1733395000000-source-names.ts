import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The file name that an upload came with, for the dashboard. */
export class SourceNames1733395000000 implements MigrationInterface {
  readonly name = 'SourceNames1733395000000';

  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the version before need not know it.
    await runner.query('ALTER TABLE sources ADD COLUMN name text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sources DROP COLUMN name');
  }
}
