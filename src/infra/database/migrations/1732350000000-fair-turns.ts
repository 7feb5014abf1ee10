import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When each waiting job has its turn, so that accounts take turns whatever the length of their queues. */
export class FairTurns1732350000000 implements MigrationInterface {
  readonly name = 'FairTurns1732350000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE jobs ADD COLUMN turn bigint NOT NULL DEFAULT 0`,
      `CREATE INDEX jobs_turn ON jobs (turn, id) WHERE status = 'queued'`,
      `CREATE INDEX jobs_account_turn ON jobs (account_id, turn) WHERE status = 'queued'`,
      // Beside the counter that creating a job locks anyway, so that taking a turn costs no row of its own.
      `ALTER TABLE enhancement_usage ADD COLUMN next_turn bigint NOT NULL DEFAULT 0`,
      // The turn of the latest job that was taken in hand. It never goes back.
      `CREATE TABLE job_clock (
         turn bigint NOT NULL,
         only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
       ) WITH (fillfactor = 10)`,
      `INSERT INTO job_clock (turn) VALUES (0)`,
    ])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE job_clock`);
    await runner.query(`ALTER TABLE enhancement_usage DROP COLUMN next_turn`);
    await runner.query(`ALTER TABLE jobs DROP COLUMN turn`);
  }
}
