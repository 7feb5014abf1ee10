import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Why a job is canceled at `cancel_at`: for a suspended account, or (null) as its client wished with `cancelAfter`. */
export class CancelReasons1733858007000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // Nullable and without a default: no row is rewritten, and the previous version can ignore it.
    await runner.query('ALTER TABLE jobs ADD COLUMN cancel_reason text');
    await runner.query(
      `UPDATE jobs SET cancel_reason = 'account_suspended' FROM accounts a
        WHERE a.id = jobs.account_id AND jobs.cancel_at = a.suspended_at AND jobs.status = 'queued'`,
    );
  }
}
