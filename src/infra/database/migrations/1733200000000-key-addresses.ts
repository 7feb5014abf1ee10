import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Networks from which a key may be used (CIDR); null for a key that may be used from anywhere. */
export class KeyAddresses1733200000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD COLUMN allowed_ips text[]');
  }
}
