import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The trace in which a job or an event was created, so that workers and dispatchers continue it. */
export class TraceParents1733393000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the previous version can ignore them.
    await runner.query('ALTER TABLE jobs ADD COLUMN traceparent text');
    await runner.query('ALTER TABLE events ADD COLUMN traceparent text');
  }
}
