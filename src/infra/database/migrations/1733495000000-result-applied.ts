import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** What was applied to a result besides its operations: crop, quality and metadata, and the certainty of its matte. */
export class ResultApplied1733495000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the previous version can ignore it.
    await runner.query('ALTER TABLE jobs ADD COLUMN result_applied jsonb');
  }
}
