import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** Stores when it is each waiting job's turn, so that accounts take turns however long their queues are. */
export class FairTurns1732350000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE jobs ADD COLUMN IF NOT EXISTS turn bigint NOT NULL DEFAULT 0`,
      // On the row of the counter, which creating a job locks anyway, so that taking a turn writes no other row.
      `ALTER TABLE enhancement_usage ADD COLUMN IF NOT EXISTS next_turn bigint NOT NULL DEFAULT 0`,
      // The turn of the most recently claimed job. It never decreases.
      `CREATE TABLE IF NOT EXISTS job_clock (
         turn bigint NOT NULL,
         only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
       ) WITH (fillfactor = 10)`,
      `INSERT INTO job_clock (turn) VALUES (0) ON CONFLICT DO NOTHING`,
    ])
      await runner.query(statement);
    await createIndexConcurrently(runner, 'jobs_turn', `jobs (turn, id) WHERE status = 'queued'`);
    await createIndexConcurrently(
      runner,
      'jobs_account_turn',
      `jobs (account_id, turn) WHERE status = 'queued'`,
    );
  }
}
