import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * The time of an event is that of its statement, as its id is. A transaction may have begun minutes earlier, and
 * filters by time search for the first and the last id of a period.
 */
export class AuditTimes1733859004000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_events ALTER COLUMN created_at SET DEFAULT clock_timestamp()');
  }
}
