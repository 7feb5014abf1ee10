import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Batches of jobs. The row of each batch counts its items that have ended. */
export class Batches1733401800000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE batches (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     request jsonb NOT NULL,
     total integer NOT NULL CHECK (total > 0),
     completed integer NOT NULL DEFAULT 0 CHECK (completed >= 0),
     failed integer NOT NULL DEFAULT 0 CHECK (failed >= 0),
     canceled integer NOT NULL DEFAULT 0 CHECK (canceled >= 0),
     created_at timestamptz NOT NULL,
     canceled_at timestamptz,
     completed_at timestamptz,
     CHECK (completed + failed + canceled <= total)
   ) WITH (fillfactor = 50)`,
  `CREATE INDEX batches_account ON batches (account_id, id COLLATE "C" DESC)`,
  // No foreign key: a batch is deleted after its jobs, and validating existing rows would take long.
  `ALTER TABLE jobs ADD COLUMN batch_id text, ADD COLUMN batch_index integer, ADD COLUMN retried_as text,
                    ADD COLUMN result_crc32 bigint`,
  // In addition to next_turn, which now orders only the jobs that belong to no batch.
  `ALTER TABLE enhancement_usage ADD COLUMN batch_next_turn bigint NOT NULL DEFAULT 0`,
];
