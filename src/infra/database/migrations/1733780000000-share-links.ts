import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Links that let people without an account see a result. */
export class ShareLinks1733780000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE share_links (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     job_id text NOT NULL REFERENCES jobs ON DELETE CASCADE,
     token_hash bytea NOT NULL UNIQUE,
     shows_original boolean NOT NULL,
     created_at timestamptz NOT NULL,
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX share_links_account ON share_links (account_id)`,
  // Used when a job is deleted.
  `CREATE INDEX share_links_job ON share_links (job_id)`,
  `CREATE INDEX share_links_expiry ON share_links (expires_at)`,
];
