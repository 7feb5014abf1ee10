import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Changes of email addresses that wait for their links; at most one for each account. */
export class EmailChanges1733859009000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // mail_id without a foreign key: the row of an email may be deleted earlier.
    await runner.query(
      `CREATE TABLE email_changes (
         account_id text PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
         email text NOT NULL,
         token_hash bytea NOT NULL UNIQUE,
         mail_id text,
         created_at timestamptz NOT NULL DEFAULT now(),
         expires_at timestamptz NOT NULL
       )`,
    );
    await runner.query('CREATE INDEX email_changes_expires ON email_changes (expires_at)');
    await runner.query(
      'CREATE INDEX email_changes_mail ON email_changes (mail_id) WHERE mail_id IS NOT NULL',
    );
  }
}
