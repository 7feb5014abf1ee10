import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Uploads that clients send directly to the object store. */
export class DirectUploads1733601002000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE direct_uploads (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     bytes integer NOT NULL CHECK (bytes > 0),
     sha256 text,
     name text,
     created_at timestamptz NOT NULL,
     expires_at timestamptz NOT NULL,
     source_id text REFERENCES sources ON DELETE CASCADE
   )`,
  `CREATE INDEX direct_uploads_account ON direct_uploads (account_id)`,
  `CREATE INDEX direct_uploads_expiry ON direct_uploads (expires_at)`,
  // Used when a source is deleted.
  `CREATE INDEX direct_uploads_source ON direct_uploads (source_id) WHERE source_id IS NOT NULL`,
];
