import type { MigrationInterface, QueryRunner } from 'typeorm';
import { allowingAuditChange } from '../allowing-audit-change.js';

/** Deletes old audit events by id, because the plan of the previous function read the whole table for each batch. */
export class AuditPrune1733320000000 implements MigrationInterface {
  readonly name = 'AuditPrune1733320000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PRUNE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(pruneBy('id IN (SELECT id FROM audit_events ORDER BY id LIMIT batch)'));
  }
}

function pruneBy(oldest: string): string {
  return `CREATE OR REPLACE FUNCTION audit_prune(max_age interval, batch integer) RETURNS integer LANGUAGE plpgsql AS $$
     DECLARE deleted integer;
     BEGIN
       ${allowingAuditChange(
         'prune',
         `DELETE FROM audit_events WHERE ${oldest} AND created_at < now() - max_age;
         GET DIAGNOSTICS deleted = ROW_COUNT;`,
       )}
       RETURN deleted;
     END $$`;
}

export const PRUNE = pruneBy('id = ANY (ARRAY(SELECT id FROM audit_events ORDER BY id LIMIT batch))');
