import type { QueryRunner } from 'typeorm';
import { allowingAuditChange } from '../allowing-audit-change.js';
import type { Migration } from '../migration.js';

/**
 * Erases personal data from the given events only: one statement for all events of an account may take longer than any
 * statement may. The function that does so stays, because older processes call it.
 */
export class AuditEraseBatches1733859002000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ERASE_EVENTS);
  }
}

/** In the log of another organization, the details stay: they belong to the organization. */
export const ERASE_EVENTS = `CREATE OR REPLACE FUNCTION audit_erase_events(erased text, ids bigint[])
   RETURNS void LANGUAGE plpgsql AS $$
     BEGIN
       ${allowingAuditChange(
         'erase',
         `UPDATE audit_events SET address = NULL, user_agent = NULL,
                 details = CASE WHEN account_id = erased THEN '{}' ELSE details END
           WHERE id = ANY (ids) AND (account_id = erased OR (actor_kind = 'person' AND actor_id = erased));`,
       )}
     END $$`;
