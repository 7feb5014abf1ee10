import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The second factor of users, and sign-ins that wait for it. The previous version knows neither. */
export class TwoFactor1733740000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // A row without enabled_at belongs to an unfinished setup. last_step is the time step of the last code used.
    await runner.query(`
      CREATE TABLE two_factor_secrets (
        account_id text PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        sealed_secret bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        enabled_at timestamptz,
        last_step bigint NOT NULL DEFAULT 0,
        failed_attempts integer NOT NULL DEFAULT 0,
        blocked_until timestamptz
      )`);
    await runner.query(`
      CREATE TABLE recovery_codes (
        account_id text NOT NULL REFERENCES two_factor_secrets ON DELETE CASCADE,
        code_hash bytea NOT NULL,
        used_at timestamptz,
        PRIMARY KEY (account_id, code_hash)
      )`);
    // password_digest voids the row when the password changes, whichever version changes it.
    await runner.query(`
      CREATE TABLE pending_sign_ins (
        token_hash bytea PRIMARY KEY,
        account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
        password_digest bytea,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX pending_sign_ins_account ON pending_sign_ins (account_id)');
    await runner.query('CREATE INDEX pending_sign_ins_expires ON pending_sign_ins (expires_at)');
  }
}
