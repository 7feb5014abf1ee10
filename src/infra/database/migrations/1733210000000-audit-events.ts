import type { QueryRunner } from 'typeorm';
import { allowingAuditChange } from '../allowing-audit-change.js';
import type { Migration } from '../migration.js';

/** The audit log. Append-only, except for two functions: one deletes old events, the other erases personal data. */
export class AuditEvents1733210000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  // account_id has no foreign key, because events remain after their account is deleted. Null stands for the
  // installation itself.
  `CREATE TABLE audit_events (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     created_at timestamptz NOT NULL DEFAULT now(),
     account_id text,
     action text NOT NULL,
     actor_kind text NOT NULL CHECK (actor_kind IN ('person', 'key', 'operator', 'system')),
     actor_id text,
     target_id text,
     address text,
     user_agent text,
     details jsonb NOT NULL DEFAULT '{}'
   )`,
  `CREATE INDEX audit_events_account ON audit_events (account_id, id)`,
  // Counts the failed sign-ins of an account in the last hour.
  `CREATE INDEX audit_events_failures ON audit_events (account_id, created_at) WHERE action = 'sign_in.failed'`,
  `CREATE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE allowed text := coalesce(current_setting('ies.audit_change', true), '');
     BEGIN
       IF TG_OP = 'DELETE' AND allowed = 'prune' THEN RETURN OLD; END IF;
       IF TG_OP = 'UPDATE' AND allowed = 'erase'
          AND (NEW.id, NEW.created_at, NEW.account_id, NEW.action, NEW.actor_kind, NEW.target_id)
              IS NOT DISTINCT FROM
              (OLD.id, OLD.created_at, OLD.account_id, OLD.action, OLD.actor_kind, OLD.target_id)
          AND NEW.actor_id IS NOT DISTINCT FROM OLD.actor_id
          AND NEW.address IS NULL AND NEW.user_agent IS NULL AND NEW.details = '{}'
       THEN RETURN NEW; END IF;
       RAISE EXCEPTION 'audit_events is append-only' USING ERRCODE = 'insufficient_privilege';
     END $$`,
  `CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit_events
     FOR EACH ROW EXECUTE FUNCTION audit_refuse_change()`,
  `CREATE FUNCTION audit_refuse_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'audit_events is append-only' USING ERRCODE = 'insufficient_privilege'; END $$`,
  `CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit_events
     FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_truncate()`,
  // Deletes the oldest events older than max_age, at most `batch` of them. Ids follow time, so the oldest come first.
  `CREATE FUNCTION audit_prune(max_age interval, batch integer) RETURNS integer LANGUAGE plpgsql AS $$
     DECLARE deleted integer;
     BEGIN
       ${allowingAuditChange(
         'prune',
         `DELETE FROM audit_events
           WHERE id IN (SELECT id FROM audit_events ORDER BY id LIMIT batch) AND created_at < now() - max_age;
         GET DIAGNOSTICS deleted = ROW_COUNT;`,
       )}
       RETURN deleted;
     END $$`,
  // Keeps what an account did, but not from which address, with which browser, or under which names.
  `CREATE FUNCTION audit_erase_account(erased text) RETURNS void LANGUAGE plpgsql AS $$
     BEGIN
       ${allowingAuditChange(
         'erase',
         `UPDATE audit_events SET address = NULL, user_agent = NULL, details = '{}' WHERE account_id = erased;`,
       )}
     END $$`,
];
