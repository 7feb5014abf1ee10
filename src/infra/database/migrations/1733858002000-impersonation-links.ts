import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links with which an operator signs in as a customer once, read-only. */
export class ImpersonationLinks1733858002000 implements MigrationInterface {
  readonly name = 'ImpersonationLinks1733858002000';

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

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE impersonation_links');
  }
}
