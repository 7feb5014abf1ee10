import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** Finds the jobs that ended in the last minutes, for the operator console. */
export class JobsEnded1733715001000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'jobs_ended', 'jobs (completed_at) WHERE completed_at IS NOT NULL');
  }
}
