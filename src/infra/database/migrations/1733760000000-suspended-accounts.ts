import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts that an operator has suspended, and temporary passwords. The previous version reads none of the columns: it
 * serves suspended accounts, and temporary passwords do not expire.
 */
export class SuspendedAccounts1733760000000 implements MigrationInterface {
  readonly name = 'SuspendedAccounts1733760000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE accounts ADD COLUMN IF NOT EXISTS suspended_at timestamptz,
                            ADD COLUMN IF NOT EXISTS suspended_reason text,
                            ADD COLUMN IF NOT EXISTS password_expires_at timestamptz`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE accounts DROP COLUMN suspended_at, DROP COLUMN suspended_reason, DROP COLUMN password_expires_at',
    );
  }
}
