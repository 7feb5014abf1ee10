import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Comparisons of two versions of a model on one photo, for an operator. Their pictures are deleted after a day. */
export class VersionComparisons1733858003000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE version_comparisons (
         id text PRIMARY KEY,
         account_id text REFERENCES accounts (id) ON DELETE CASCADE,
         operation text NOT NULL,
         level text NOT NULL,
         version_a integer NOT NULL CHECK (version_a > 0),
         version_b integer NOT NULL CHECK (version_b > 0),
         status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
         attempts integer NOT NULL DEFAULT 0,
         worker_id text,
         photo bytea,
         source_image bytea,
         image_a bytea,
         image_b bytea,
         results jsonb,
         failure text,
         created_at timestamptz NOT NULL DEFAULT now(),
         ended_at timestamptz)`,
    );
    await runner.query('CREATE INDEX version_comparisons_created ON version_comparisons (created_at)');
    await runner.query(
      `CREATE INDEX version_comparisons_unfinished ON version_comparisons (created_at)
        WHERE status IN ('queued', 'processing')`,
    );
    await runner.query('CREATE INDEX version_comparisons_account ON version_comparisons (account_id)');
  }
}
