import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Test mode keys. The previous version rejects them because of their format. */
export class KeyModes1733500002000 implements MigrationInterface {
  readonly name = 'KeyModes1733500002000';

  async up(runner: QueryRunner): Promise<void> {
    // A constant default: no row is rewritten, and the previous version can ignore it.
    await runner.query('ALTER TABLE api_keys ADD COLUMN livemode boolean NOT NULL DEFAULT true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM api_keys WHERE NOT livemode');
    await runner.query('ALTER TABLE api_keys DROP COLUMN livemode');
  }
}
