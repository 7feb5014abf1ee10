import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Links to choose a new password. Only the hash of a link's token is stored. */
export class PasswordResets1733750001000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE password_resets (
         token_hash bytea PRIMARY KEY,
         account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
         created_at timestamptz NOT NULL DEFAULT now(),
         was_mailed boolean NOT NULL DEFAULT true,
         expires_at timestamptz NOT NULL,
         used_at timestamptz
       )`,
    );
    await runner.query('CREATE INDEX password_resets_account ON password_resets (account_id, created_at)');
    await runner.query('CREATE INDEX password_resets_created ON password_resets (created_at)');
  }
}
