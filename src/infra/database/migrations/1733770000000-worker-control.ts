import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

const UP = [
  `ALTER TABLE model_workers
     ADD COLUMN wanted text NOT NULL DEFAULT 'serve' CHECK (wanted IN ('serve', 'drain', 'restart')),
     ADD COLUMN wanted_at timestamptz,
     ADD COLUMN traits jsonb NOT NULL DEFAULT '{}'`,
  // The log lines that a worker sent last. Unlogged, because they are useless after a crash of the database.
  `CREATE UNLOGGED TABLE worker_logs (
     worker_id text PRIMARY KEY REFERENCES model_workers ON DELETE CASCADE,
     lines jsonb NOT NULL,
     sent_at timestamptz NOT NULL)`,
];

/** What operators request of a worker, what it reports about itself, and the log lines that it sent on request. */
export class WorkerControl1733770000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}
