import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** Endpoints of all accounts whose last attempt failed, for the operator console. */
export class FailingEndpoints1733760005000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'webhook_endpoints_failing',
      `webhook_endpoints (first_failure_at DESC, id COLLATE "C" DESC)
         WHERE first_failure_at IS NOT NULL AND NOT callback`,
    );
  }
}
