import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

const LIVE = 'WHERE deleted_at IS NULL';

/**
 * The last column has a different collation, so that only these indexes serve the lists. Each list query names every
 * value of the leading columns; see docs/decisions/0050-lists-and-indexes.md.
 */
const INDEXES: readonly (readonly [name: string, definition: string])[] = [
  ['jobs_account_status', `jobs (account_id, status, id COLLATE "C" DESC) ${LIVE}`],
  ['jobs_account_operation', `jobs (account_id, operation, status, id COLLATE "C" DESC) ${LIVE}`],
  ['jobs_waiting', `jobs (created_at) INCLUDE (source_pixels, operation, level) WHERE status = 'queued'`],
  [
    'webhook_deliveries_account_list',
    'webhook_deliveries (account_id, status, event_type, id COLLATE "C" DESC)',
  ],
  [
    'webhook_deliveries_endpoint_list',
    'webhook_deliveries (endpoint_id, status, event_type, id COLLATE "C" DESC)',
  ],
];

/** Dropped, because the indexes above also serve their queries. */
const REPLACED: readonly (readonly [name: string, definition: string])[] = [
  ['jobs_account', `jobs (account_id, id DESC) ${LIVE}`],
  ['jobs_queued', `jobs (created_at) INCLUDE (source_pixels) WHERE status = 'queued'`],
  ['webhook_deliveries_account', 'webhook_deliveries (account_id, id DESC)'],
  ['webhook_deliveries_endpoint', 'webhook_deliveries (endpoint_id, id DESC)'],
];

/**
 * Filtered lists read one index range for each combination of values, regardless of the size of the table.
 */
export class ListIndexes1733100000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) await createIndexConcurrently(runner, name, definition);
    for (const [name] of REPLACED) await dropIndexConcurrently(runner, name);
  }
}
