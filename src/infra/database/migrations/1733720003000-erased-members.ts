import type { MigrationInterface, QueryRunner } from 'typeorm';
import { allowingAuditChange } from '../allowing-audit-change.js';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';

/** Erasing an account also clears its address and user agent from events of other organizations. */
export class ErasedMembers1733720003000 implements MigrationInterface {
  readonly name = 'ErasedMembers1733720003000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'audit_events_member',
      `audit_events (actor_id) WHERE actor_kind = 'person' AND actor_id <> account_id`,
    );
    await runner.query(refuseChange(`NEW.details IN ('{}', OLD.details)`));
    await runner.query(ERASE_ACCOUNT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(eraseAccount(ERASE_OWN));
    await runner.query(refuseChange(`NEW.details = '{}'`));
    await dropIndexConcurrently(runner, 'audit_events_member');
  }
}

const ERASE_OWN = `UPDATE audit_events SET address = NULL, user_agent = NULL, details = '{}' WHERE account_id = erased`;
/** Keeps the details, which belong to the organization. */
const ERASE_ELSEWHERE = `UPDATE audit_events SET address = NULL, user_agent = NULL
  WHERE actor_kind = 'person' AND actor_id = erased AND actor_id <> account_id`;

const eraseAccount = (...statements: readonly string[]): string =>
  `CREATE OR REPLACE FUNCTION audit_erase_account(erased text) RETURNS void LANGUAGE plpgsql AS $$
     BEGIN ${allowingAuditChange('erase', `${statements.join('; ')};`)} END $$`;

export const ERASE_ACCOUNT = eraseAccount(ERASE_OWN, ERASE_ELSEWHERE);

/** Like the function in the first migration of the table, except for how an erasure may change `details`. */
const refuseChange = (mayChangeDetails: string): string =>
  `CREATE OR REPLACE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE allowed text := coalesce(current_setting('ies.audit_change', true), '');
     BEGIN
       IF TG_OP = 'DELETE' AND allowed = 'prune' THEN RETURN OLD; END IF;
       IF TG_OP = 'UPDATE' AND allowed = 'erase'
          AND (NEW.id, NEW.created_at, NEW.account_id, NEW.action, NEW.actor_kind, NEW.actor_id, NEW.target_id)
              IS NOT DISTINCT FROM
              (OLD.id, OLD.created_at, OLD.account_id, OLD.action, OLD.actor_kind, OLD.actor_id, OLD.target_id)
          AND NEW.address IS NULL AND NEW.user_agent IS NULL AND ${mayChangeDetails}
       THEN RETURN NEW; END IF;
       RAISE EXCEPTION 'audit_events is append-only' USING ERRCODE = 'insufficient_privilege';
     END $$`;
