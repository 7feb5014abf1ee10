import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Links with which an operator signs in as a customer once, read-only. */
export class ImpersonationLinks1733858002000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE impersonation_links (
         token_hash bytea PRIMARY KEY,
         account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
         reason text NOT NULL,
         expires_at timestamptz NOT NULL)`,
    );
    await runner.query('CREATE INDEX impersonation_links_account ON impersonation_links (account_id)');
    await runner.query('CREATE INDEX impersonation_links_expired ON impersonation_links (expires_at)');
  }
}
