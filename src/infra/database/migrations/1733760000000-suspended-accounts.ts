import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Accounts that an operator has suspended, and temporary passwords. The previous version reads none of the columns: it
 * serves suspended accounts, and temporary passwords do not expire.
 */
export class SuspendedAccounts1733760000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE accounts ADD COLUMN IF NOT EXISTS suspended_at timestamptz,
                            ADD COLUMN IF NOT EXISTS suspended_reason text,
                            ADD COLUMN IF NOT EXISTS password_expires_at timestamptz`,
    );
  }
}
