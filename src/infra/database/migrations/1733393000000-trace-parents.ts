import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace in which a job or an event was created, so that workers and dispatchers continue it. */
export class TraceParents1733393000000 implements MigrationInterface {
  readonly name = 'TraceParents1733393000000';

  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the previous version can ignore them.
    await runner.query('ALTER TABLE jobs ADD COLUMN traceparent text');
    await runner.query('ALTER TABLE events ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events DROP COLUMN traceparent');
    await runner.query('ALTER TABLE jobs DROP COLUMN traceparent');
  }
}
