import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Accounts at an OpenID provider, and sign-ins that have not returned from the provider yet. */
export class Oidc1733740002000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oidc_identities (
        issuer text NOT NULL,
        subject text NOT NULL,
        account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (issuer, subject)
      )`);
    await runner.query('CREATE INDEX oidc_identities_account ON oidc_identities (account_id)');
    // browser_hash is the SHA-256 of the token in the browser's cookie.
    await runner.query(`
      CREATE TABLE oidc_requests (
        browser_hash bytea NOT NULL,
        state text NOT NULL,
        nonce text NOT NULL,
        code_verifier text NOT NULL,
        next_path text NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (browser_hash, state)
      )`);
    await runner.query('CREATE INDEX oidc_requests_expires ON oidc_requests (expires_at)');
    // Identities that the account's user must confirm by signing in.
    await runner.query(`
      CREATE TABLE oidc_links (
        browser_hash bytea PRIMARY KEY,
        account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
        issuer text NOT NULL,
        subject text NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX oidc_links_account ON oidc_links (account_id)');
    await runner.query('CREATE INDEX oidc_links_expires ON oidc_links (expires_at)');
  }
}
