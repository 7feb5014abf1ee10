import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The sums that replace old ledger rows, and how many rows retention has deleted. */
export class Retention1733120000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE quota_ledger_sums (
         account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
         period text NOT NULL,
         kind text NOT NULL CHECK (kind IN ('reserve', 'commit', 'refund')),
         count bigint NOT NULL CHECK (count > 0),
         PRIMARY KEY (account_id, period, kind)
       )`,
    );
    await runner.query(
      `CREATE TABLE retention_counts (
         kind text PRIMARY KEY,
         deleted bigint NOT NULL,
         deleted_at timestamptz NOT NULL
       ) WITH (fillfactor = 50)`,
    );
  }
}
