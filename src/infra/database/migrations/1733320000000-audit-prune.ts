import type { QueryRunner } from 'typeorm';
import { allowingAuditChange } from '../allowing-audit-change.js';
import type { Migration } from '../migration.js';

/** Deletes old audit events by id, because the plan of the previous function read the whole table for each batch. */
export class AuditPrune1733320000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PRUNE);
  }
}

export const PRUNE = `CREATE OR REPLACE FUNCTION audit_prune(max_age interval, batch integer) RETURNS integer
   LANGUAGE plpgsql AS $$
     DECLARE deleted integer;
     BEGIN
       ${allowingAuditChange(
         'prune',
         `DELETE FROM audit_events WHERE id = ANY (ARRAY(SELECT id FROM audit_events ORDER BY id LIMIT batch))
             AND created_at < now() - max_age;
         GET DIAGNOSTICS deleted = ROW_COUNT;`,
       )}
       RETURN deleted;
     END $$`;
