import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Whether the owner of an account has verified its email address. Unknown for accounts of earlier versions. */
export class EmailVerification1733750002000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts ADD COLUMN email_verified_at timestamptz');
    await runner.query(
      `CREATE TABLE email_verifications (
         token_hash bytea PRIMARY KEY,
         account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
         created_at timestamptz NOT NULL DEFAULT now(),
         expires_at timestamptz NOT NULL
       )`,
    );
    await runner.query(
      'CREATE INDEX email_verifications_account ON email_verifications (account_id, created_at)',
    );
    await runner.query('CREATE INDEX email_verifications_created ON email_verifications (created_at)');
  }
}
