import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/models/repository/catalog.js';
import { FairQueueRepository } from '../../../src/jobs/queue/fair-queue.repository.js';
import { quotaPeriod } from '../../../src/kernel/time/clock.js';
import { effectiveLimits } from '../../../src/kernel/plans.js';
import { QuotasService } from '../../../src/quotas/quotas.service.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

const LAST_MONTH = '2001-01';

describe('the start of a new month', () => {
  let harness: Harness;
  let account: TestAccount;

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());

  /** Moves everything that the account has done so far to a past month. */
  async function monthTurns(): Promise<void> {
    for (const table of ['enhancement_usage', 'quota_ledger', 'jobs'])
      await harness.rows(`UPDATE ${table} SET period = $2 WHERE account_id = $1`, [account.id, LAST_MONTH]);
  }

  const usedIn = async (period: string): Promise<number | undefined> => {
    const rows = await harness.rows<{ used: number }>(
      'SELECT used FROM enhancement_usage WHERE account_id = $1 AND period = $2',
      [account.id, period],
    );
    return rows[0]?.used;
  };

  it('starts a new count, and refunds an old job to the month it was charged to', async () => {
    account = await harness.createAccount({ limits: { enhancements: 2 } });
    const { url: sourceUrl } = await harness.newSource(account);
    const { id: old } = await harness.newJob(account, { sourceUrl });
    await harness.newJob(account, { sourceUrl });
    const full = await harness.createJob(account.key, { sourceUrl, operation: 'upscale' });
    expect(full.status).toBe(403);
    await monthTurns();
    await harness.newJob(account, { sourceUrl });
    await harness.call('POST', `/api/ai/enhance/${old}/cancel`, { key: account.key });
    expect(await usedIn(LAST_MONTH)).toBe(1);
    expect(await usedIn(quotaPeriod(Date.now()))).toBe(1);
  });

  it('does not move new jobs of an account ahead of its waiting ones', async () => {
    account = await harness.createAccount();
    const { url: sourceUrl } = await harness.newSource(account);
    for (let count = 0; count < 5; count += 1) await harness.newJob(account, { sourceUrl });
    await monthTurns();
    const { id: first } = await harness.newJob(account, { sourceUrl });
    const other = await harness.createAccount();
    const { id: foreign } = await harness.newJob(other);
    const queue = await harness.app.get(FairQueueRepository).waiting(harness.app.get(Catalog).kinds(), 1_000);
    const own = queue.filter(({ accountId }) => accountId === account.id).map(({ id }) => id);
    expect(own).toHaveLength(6);
    expect(own.at(-1)).toBe(first);
    expect(queue.at(-1)!.id).toBe(first);
    expect(queue.findIndex(({ id }) => id === foreign)).toBeLessThan(queue.length - 1);
  });

  it('refuses in the month of the request, even if the next one has begun', async () => {
    account = await harness.createAccount({ limits: { enhancements: 1 } });
    await harness.newJob(account);
    await monthTurns();
    const principal = {
      keyId: account.keyId,
      accountId: account.id,
      scopes: [],
      plan: 'business',
      limits: effectiveLimits('business', { enhancements: 1 }),
    } as const;
    const error = await harness.app
      .get(QuotasService)
      .refuse(principal, 'enhancements', new Date('2001-01-31T23:59:59.999Z'));
    expect(error.extensions).toMatchObject({ used: 1, limit: 1, resetsAt: '2001-02-01T00:00:00.000Z' });
  });
});
