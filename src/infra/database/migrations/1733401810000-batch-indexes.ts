import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

const INDEXES: readonly (readonly [name: string, definition: string])[] = [
  ['jobs_batch', `jobs (batch_id, batch_index, id) WHERE batch_id IS NOT NULL`],
  ['jobs_batch_processing', `jobs (batch_id) WHERE status = 'processing' AND batch_id IS NOT NULL`],
  ['jobs_single_turn', `jobs (account_id, turn) WHERE status = 'queued' AND batch_id IS NULL`],
  ['jobs_batch_turn', `jobs (account_id, turn) WHERE status = 'queued' AND batch_id IS NOT NULL`],
];

/** The items of a batch in order, and the queues of an account: its single jobs and its batches. */
export class BatchIndexes1733401810000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) await createIndexConcurrently(runner, name, definition);
    await dropIndexConcurrently(runner, 'jobs_account_turn');
  }
}
