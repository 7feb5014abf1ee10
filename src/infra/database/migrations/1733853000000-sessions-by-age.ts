import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';

/** Index for the newest sessions of an account, however many it has. It also serves the queries of the old index. */
export class SessionsByAge1733853000000 implements MigrationInterface {
  readonly name = 'SessionsByAge1733853000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'sessions_account_age', 'sessions (account_id, expires_at DESC)');
    await dropIndexConcurrently(runner, 'sessions_account');
  }

  async down(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'sessions_account', 'sessions (account_id)');
    await dropIndexConcurrently(runner, 'sessions_account_age');
  }
}
