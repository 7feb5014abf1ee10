import type { QueryRunner } from 'typeorm';
import { allowingAuditChange } from '../allowing-audit-change.js';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** Erasing an account also clears its address and user agent from events of other organizations. */
export class ErasedMembers1733720003000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'audit_events_member',
      `audit_events (actor_id) WHERE actor_kind = 'person' AND actor_id <> account_id`,
    );
    await runner.query(REFUSE_CHANGE);
    await runner.query(ERASE_ACCOUNT);
  }
}

const ERASE_OWN = `UPDATE audit_events SET address = NULL, user_agent = NULL, details = '{}' WHERE account_id = erased`;
/** Keeps the details, which belong to the organization. */
const ERASE_ELSEWHERE = `UPDATE audit_events SET address = NULL, user_agent = NULL
  WHERE actor_kind = 'person' AND actor_id = erased AND actor_id <> account_id`;

export const ERASE_ACCOUNT = `CREATE OR REPLACE FUNCTION audit_erase_account(erased text) RETURNS void
   LANGUAGE plpgsql AS $$
     BEGIN ${allowingAuditChange('erase', `${ERASE_OWN}; ${ERASE_ELSEWHERE};`)} END $$`;

/** Like the function in the first migration of the table, except for how an erasure may change `details`. */
const REFUSE_CHANGE = `CREATE OR REPLACE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE allowed text := coalesce(current_setting('ies.audit_change', true), '');
     BEGIN
       IF TG_OP = 'DELETE' AND allowed = 'prune' THEN RETURN OLD; END IF;
       IF TG_OP = 'UPDATE' AND allowed = 'erase'
          AND (NEW.id, NEW.created_at, NEW.account_id, NEW.action, NEW.actor_kind, NEW.actor_id, NEW.target_id)
              IS NOT DISTINCT FROM
              (OLD.id, OLD.created_at, OLD.account_id, OLD.action, OLD.actor_kind, OLD.actor_id, OLD.target_id)
          AND NEW.address IS NULL AND NEW.user_agent IS NULL AND NEW.details IN ('{}', OLD.details)
       THEN RETURN NEW; END IF;
       RAISE EXCEPTION 'audit_events is append-only' USING ERRCODE = 'insufficient_privilege';
     END $$`;
