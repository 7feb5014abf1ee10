import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was applied to a result besides its operations: crop, quality and metadata, and the certainty of its matte. */
export class ResultApplied1733495000000 implements MigrationInterface {
  readonly name = 'ResultApplied1733495000000';

  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the previous version can ignore it.
    await runner.query('ALTER TABLE jobs ADD COLUMN result_applied jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN result_applied');
  }
}
