import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CONFIG } from '../../../src/config/tokens.js';
import { RetentionCleanup } from '../../../src/dispatcher/retention-cleanup.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { UsageHistoryRepository } from '../../../src/quotas/history/usage-history.repository.js';
import { RateLimitRepository } from '../../../src/quotas/rate-limit/rate-limit.repository.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

const LIMIT = 3;

describe('a rate limit that was reached while the clock of the database was an hour ahead', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());
  beforeEach(async () => {
    await harness.rows('TRUNCATE rate_limits');
    await harness.rows(
      `INSERT INTO rate_limits (bucket, window_index, current_count, previous_count, granted)
       SELECT 'ahead', floor(extract(epoch FROM clock_timestamp()) / 60) + 60, $1, $1, 1`,
      [LIMIT],
    );
  });

  it('starts again as soon as the clock is right', async () => {
    const limits = new RateLimitRepository(harness.app.get(Database));
    const decisions = [];
    for (let request = 0; request <= LIMIT; request += 1) decisions.push(await limits.take('ahead', LIMIT));
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
  });

  it('is not shown as the state of a key', async () => {
    const account = await harness.createAccount();
    await harness.rows('UPDATE rate_limits SET bucket = $1', [account.keyId]);
    const [window] = await new UsageHistoryRepository(harness.app.get(Database)).windows(account.id);
    expect(window).toMatchObject({ keyId: account.keyId, currentCount: 0, previousCount: 0 });
  });

  it('is deleted like past ones', async () => {
    await new RateLimitRepository(harness.app.get(Database)).take('now', LIMIT);
    const { app } = harness;
    await new RetentionCleanup(app.get(Database), app.get(ObjectStore), app.get(CONFIG)).keep();
    expect(await harness.rows('SELECT bucket FROM rate_limits')).toEqual([{ bucket: 'now' }]);
  });
});
