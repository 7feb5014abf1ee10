import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Test mode keys. The previous version rejects them because of their format. */
export class KeyModes1733500002000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // A constant default: no row is rewritten, and the previous version can ignore it.
    await runner.query('ALTER TABLE api_keys ADD COLUMN livemode boolean NOT NULL DEFAULT true');
  }
}
