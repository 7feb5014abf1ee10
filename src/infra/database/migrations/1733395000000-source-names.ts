import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The file name that the client sent with an upload, for the dashboard. */
export class SourceNames1733395000000 implements MigrationInterface {
  readonly name = 'SourceNames1733395000000';

  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the previous version can ignore it.
    await runner.query('ALTER TABLE sources ADD COLUMN name text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sources DROP COLUMN name');
  }
}
