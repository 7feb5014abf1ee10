import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** Waiting jobs with several steps, in fair-share order. They cost more than the pixels of their source suggest. */
export class JobStepsIndex1733401710000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'jobs_waiting_steps',
      `jobs (turn) INCLUDE (source_pixels, work_pixels) WHERE status = 'queued' AND steps IS NOT NULL`,
    );
  }
}
