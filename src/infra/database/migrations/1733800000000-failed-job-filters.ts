import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

const IS_FAILURE = `WHERE status = 'failed' AND error_code <> 'canceled' AND deleted_at IS NULL`;

/** Failed jobs of one operation or of one account, so that a filter without matches does not read other failures. */
export class FailedJobFilters1733800000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'jobs_failures_operation',
      `jobs (operation, id COLLATE "C" DESC) INCLUDE (error_code, account_id) ${IS_FAILURE}`,
    );
    await createIndexConcurrently(
      runner,
      'jobs_failures_account',
      `jobs (account_id, id COLLATE "C" DESC) INCLUDE (error_code, operation) ${IS_FAILURE}`,
    );
  }
}
