import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** Index for the newest sessions of an account, however many it has. It also serves the queries of the old index. */
export class SessionsByAge1733853000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'sessions_account_age', 'sessions (account_id, expires_at DESC)');
    await dropIndexConcurrently(runner, 'sessions_account');
  }
}
