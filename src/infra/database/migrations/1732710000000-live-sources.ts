import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';

/** Index for the list of an account's sources. It skips deleted sources, whose rows are kept. */
export class LiveSources1732710000000 implements MigrationInterface {
  readonly name = 'LiveSources1732710000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'sources_account_live',
      'sources (account_id, id DESC) WHERE deleted_at IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX sources_account_live`);
  }
}
