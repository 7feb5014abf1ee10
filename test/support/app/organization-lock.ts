import { Database } from '../../../src/infra/database/database.js';
import { eventually } from '../roles/flow-wait.js';
import type { Harness } from './harness.js';

/**
 * Holds the lock of an organization until the guards have admitted every call and all of them wait for the lock, so
 * that each was permitted when it began.
 */
export async function atTheSameTime<Result>(
  harness: Harness,
  accountId: string,
  calls: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  let results: Promise<Result[]>;
  await harness.app.get(Database).transaction(async (tx) => {
    await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    results = Promise.all(calls.map((call) => call()));
    await eventually(`${calls.length} calls to wait for a lock`, async () => {
      const seen = await harness.rows(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return { found: seen.length >= calls.length ? seen : undefined, seen };
    });
  });
  return results!;
}
