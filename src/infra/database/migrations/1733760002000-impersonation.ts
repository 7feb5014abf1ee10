import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Sessions in which an operator sees the account of a customer. A trigger records the end of every such session: by a
 * click, a sign-out, the sweep, a revoked role or a deleted account. The previous version ignores the columns and shows
 * operators their own account.
 */
export class Impersonation1733760002000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE sessions
     ADD COLUMN impersonated_account_id text REFERENCES accounts ON DELETE SET NULL,
     ADD COLUMN impersonation_started_at timestamptz,
     ADD COLUMN impersonation_expires_at timestamptz`,
  // Also finds the sessions of an account when it is deleted.
  `CREATE INDEX sessions_impersonation ON sessions (impersonated_account_id, impersonation_expires_at)
     WHERE impersonated_account_id IS NOT NULL`,
  `CREATE FUNCTION record_impersonation_end() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP = 'UPDATE' THEN
         IF (NEW.impersonated_account_id, NEW.impersonation_started_at)
            IS NOT DISTINCT FROM (OLD.impersonated_account_id, OLD.impersonation_started_at)
         THEN RETURN NULL; END IF;
       END IF;
       INSERT INTO audit_events (account_id, action, actor_kind, actor_id, details)
       VALUES (OLD.impersonated_account_id, 'impersonation.ended', 'operator', OLD.account_id,
               jsonb_build_object('startedAt',
                 to_char(OLD.impersonation_started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
       PERFORM pg_notify('session_ended', OLD.account_id);
       RETURN NULL;
     END $$`,
  `CREATE TRIGGER sessions_impersonation_ended AFTER UPDATE OR DELETE ON sessions FOR EACH ROW
     WHEN (OLD.impersonated_account_id IS NOT NULL) EXECUTE FUNCTION record_impersonation_end()`,
];
