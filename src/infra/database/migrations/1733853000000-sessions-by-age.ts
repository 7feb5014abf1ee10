import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';

/** The newest sessions of an account, however many it has. The new index also serves what the old one did. */
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
