import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { renewQuotaNotices } from '../../../src/quotas/quota-notices.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { eventually } from '../../support/roles/flow-wait.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

/** An account with this many enhancements a month. */
const accountWith = (enhancements: number) => harness.createAccount({ limits: { enhancements } });

const setLimit = ({ id }: TestAccount, enhancements: number) =>
  harness.accountsOf.setPlan(id, 'business', { enhancements, rpm: 1_000_000 });

async function use(account: TestAccount, enhancements: number): Promise<void> {
  const { url: sourceUrl } = await harness.newSource(account);
  for (let job = 0; job < enhancements; job += 1) await harness.newJob(account, { sourceUrl });
}

/** Simulates refunds. */
const setUsed = ({ id }: TestAccount, used: number) =>
  harness.rows('UPDATE enhancement_usage SET used = $2 WHERE account_id = $1', [id, used]);

/** The notices that are or were due, as `used/allowed`. */
async function notices({ id }: TestAccount): Promise<string[]> {
  const rows = await harness.rows<{ text: string }>(
    `SELECT concat(data->>'used', '/', data->>'allowed') AS text FROM account_notices
      WHERE account_id = $1 AND kind = 'quota' AND done_at IS NULL ORDER BY id`,
    [id],
  );
  return rows.map(({ text }) => text);
}

describe('the notices of a quota', () => {
  it('are written again for a higher limit', async () => {
    const account = await accountWith(5);
    await use(account, 5);
    expect(await notices(account)).toEqual(['4/5', '5/5']);
    await setLimit(account, 10);
    expect(await notices(account)).toEqual([]);
    await use(account, 5);
    expect(await notices(account)).toEqual(['8/10', '10/10']);
  });

  it('are not repeated for thresholds that a higher limit still reaches, nor after refunds', async () => {
    const account = await accountWith(10);
    await use(account, 10);
    await setLimit(account, 11);
    expect(await notices(account)).toEqual(['8/10']);
    await setUsed(account, 3);
    await setLimit(account, 11);
    await use(account, 6);
    expect(await notices(account)).toEqual(['8/10']);
  });

  it('are written at once if a lower limit is already reached', async () => {
    const account = await accountWith(10);
    await use(account, 4);
    await setLimit(account, 3);
    expect(await notices(account)).toEqual(['4/3']);
    await setLimit(account, 3);
    expect(await notices(account)).toEqual(['4/3']);
  });

  it('keep the new limit while requests end that were authenticated before', async () => {
    const account = await accountWith(5);
    const { url: sourceUrl } = await harness.newSource(account);
    const database = harness.app.get(Database);
    let created: Promise<unknown> | undefined;
    await database.transaction(async (tx) => {
      await renewQuotaNotices(tx, account.id, { from: 5, to: 10 });
      created = harness.newJob(account, { sourceUrl });
      await eventually('the creation to wait for the counter', async () => {
        const seen = await harness.rows(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return { found: seen.length > 0 ? true : undefined, seen };
      });
    });
    await created;
    const [row] = await harness.rows('SELECT used, allowed FROM enhancement_usage WHERE account_id = $1', [
      account.id,
    ]);
    expect(row).toEqual({ used: 1, allowed: 10 });
  });
});
