import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Invitations to organizations. Erasing the inviting or the invited user also deletes the row. */
export class Invitations1733730000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invitations (
        id text PRIMARY KEY,
        account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
        email text NOT NULL,
        role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer', 'billing')),
        token_hash bytea NOT NULL UNIQUE,
        invited_by text NOT NULL REFERENCES accounts ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz,
        accepted_at timestamptz,
        accepted_by text REFERENCES accounts ON DELETE CASCADE,
        CHECK (revoked_at IS NULL OR accepted_at IS NULL),
        CHECK ((accepted_at IS NULL) = (accepted_by IS NULL))
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX invitations_open ON invitations (account_id, lower(email))
        WHERE revoked_at IS NULL AND accepted_at IS NULL`,
    );
    await runner.query('CREATE INDEX invitations_account ON invitations (account_id, created_at)');
    await runner.query('CREATE INDEX invitations_expiry ON invitations (expires_at)');
    await runner.query('CREATE INDEX invitations_inviter ON invitations (invited_by)');
    await runner.query(
      'CREATE INDEX invitations_accepter ON invitations (accepted_by) WHERE accepted_by IS NOT NULL',
    );
  }
}
