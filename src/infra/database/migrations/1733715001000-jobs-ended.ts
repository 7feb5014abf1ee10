import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';

/** Finds the jobs that ended in the last minutes, for the operator console. */
export class JobsEnded1733715001000 implements MigrationInterface {
  readonly name = 'JobsEnded1733715001000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'jobs_ended', 'jobs (completed_at) WHERE completed_at IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(runner, 'jobs_ended');
  }
}
