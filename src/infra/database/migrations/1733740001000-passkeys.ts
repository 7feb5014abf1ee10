import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Passkeys of users, and challenges that have not been answered yet. The previous version knows neither. */
export class Passkeys1733740001000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE passkeys (
        credential_id text PRIMARY KEY,
        account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
        rp_id text NOT NULL,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz
      )`);
    await runner.query('CREATE INDEX passkeys_account ON passkeys (account_id)');
    // owner_hash is the hash of the token in the cookie of the browser that may answer the challenge.
    await runner.query(`
      CREATE TABLE passkey_challenges (
        owner_hash bytea PRIMARY KEY,
        challenge text NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX passkey_challenges_expires ON passkey_challenges (expires_at)');
  }
}
