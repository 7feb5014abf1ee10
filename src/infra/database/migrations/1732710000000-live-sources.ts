import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** Index for the list of an account's sources. It skips deleted sources, whose rows are kept. */
export class LiveSources1732710000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'sources_account_live',
      'sources (account_id, id DESC) WHERE deleted_at IS NULL',
    );
  }
}
