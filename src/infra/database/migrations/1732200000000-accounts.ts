import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** Passwords and sessions of the dashboard, replaced keys, and the objects of erased accounts yet to be deleted. */
export class Accounts1732200000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    // For the storage that results used on each day. Deleted jobs count for the days on which they existed.
    await createIndexConcurrently(
      runner,
      'jobs_account_results',
      'jobs (account_id) WHERE result_key IS NOT NULL',
    );
  }
}

const STATEMENTS = [
  // Null for an account that only uses keys.
  `ALTER TABLE accounts ADD COLUMN IF NOT EXISTS password_hash text`,
  // The key that replaces this one. Both are valid until this one expires.
  `ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS replaced_by text`,
  // The key that requested the enhancement; null for the dashboard.
  `ALTER TABLE quota_ledger ADD COLUMN IF NOT EXISTS key_id text`,
  // Stores only a hash of the token, so that nobody who reads the table can sign in with it.
  `CREATE TABLE IF NOT EXISTS sessions (
     token_hash bytea PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     created_at timestamptz NOT NULL DEFAULT now(),
     last_seen_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL
   ) WITH (fillfactor = 70)`,
  `CREATE INDEX IF NOT EXISTS sessions_account ON sessions (account_id)`,
  `CREATE INDEX IF NOT EXISTS sessions_expiry ON sessions (expires_at)`,
  // Objects whose rows no longer exist. A row is inserted when an account is deleted, and deleted with the object.
  `CREATE TABLE IF NOT EXISTS object_erasures (
     object_key text PRIMARY KEY,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
];
