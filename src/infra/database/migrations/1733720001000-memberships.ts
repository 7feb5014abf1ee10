import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Members of organizations. The owner of an account has no row: each account has its own user, with the same id. The
 * previous version ignores memberships and treats every session as one in the user's own account.
 */
export class Memberships1733720001000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE memberships (
        account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
        user_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
        role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer', 'billing')),
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (account_id, user_id),
        CHECK (account_id <> user_id)
      )`);
    await runner.query('CREATE INDEX memberships_user ON memberships (user_id)');
    // Valid only while a membership exists; otherwise the session is in the user's own account.
    await runner.query('ALTER TABLE sessions ADD COLUMN current_account_id text');
  }
}
