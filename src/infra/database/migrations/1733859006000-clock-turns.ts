import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The place of a job on the clock of the queue. A canceled job gives back only the cost that the clock has not passed. */
export class ClockTurns1733859006000 implements MigrationInterface {
  readonly name = 'ClockTurns1733859006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs ADD COLUMN clock_turn bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN clock_turn');
  }
}
