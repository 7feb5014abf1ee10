import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The place of a job on the clock of the queue. A canceled job gives back only the cost that the clock has not passed. */
export class ClockTurns1733859006000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs ADD COLUMN clock_turn bigint');
  }
}
