import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The file name that the client sent with an upload, for the dashboard. */
export class SourceNames1733395000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the previous version can ignore it.
    await runner.query('ALTER TABLE sources ADD COLUMN name text');
  }
}
