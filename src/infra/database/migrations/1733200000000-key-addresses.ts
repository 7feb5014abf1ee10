import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Networks from which a key may be used (CIDR); null for a key that may be used from anywhere. */
export class KeyAddresses1733200000000 implements MigrationInterface {
  readonly name = 'KeyAddresses1733200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD COLUMN allowed_ips text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN allowed_ips');
  }
}
