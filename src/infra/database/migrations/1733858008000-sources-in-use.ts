import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

const UNFINISHED = `status IN ('queued', 'processing')`;

/**
 * Finds unfinished jobs by their background picture and by their masks, and deleted jobs by account. The first two
 * contain few rows: unfinished jobs with such an upload.
 */
const INDEXES = [
  [
    'jobs_background',
    `jobs ((output -> 'background' ->> 'sourceId'))
      WHERE ${UNFINISHED} AND output -> 'background' ->> 'sourceId' IS NOT NULL`,
  ],
  [
    'jobs_masks',
    `jobs USING gin (jsonb_path_query_array(steps, '$[*].mask.sourceId'))
      WHERE ${UNFINISHED} AND steps @? '$[*].mask'`,
  ],
  ['jobs_deleted', 'jobs (account_id, id) WHERE deleted_at IS NOT NULL'],
] as const;

export class SourcesInUse1733858008000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) await createIndexConcurrently(runner, name, definition);
  }
}
