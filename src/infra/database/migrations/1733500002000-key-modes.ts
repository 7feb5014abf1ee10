import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of test mode. The version before refuses them by their format. */
export class KeyModes1733500002000 implements MigrationInterface {
  readonly name = 'KeyModes1733500002000';

  async up(runner: QueryRunner): Promise<void> {
    // A constant default: no row is rewritten, and the version before need not know it.
    await runner.query('ALTER TABLE api_keys ADD COLUMN livemode boolean NOT NULL DEFAULT true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM api_keys WHERE NOT livemode');
    await runner.query('ALTER TABLE api_keys DROP COLUMN livemode');
  }
}
