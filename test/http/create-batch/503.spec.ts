import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({
    env: { QUEUE_MAX_PIXELS: '35000', RATE_PIXELS_PER_MINUTE: 'free=25000' },
  });
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('POST /api/ai/batches → 503 and 429', () => {
  it('when the queue has no room for the whole batch: nothing is created or charged', async () => {
    const { url } = await harness.newSource(account, await photo(100, 100, 'jpeg'));
    const create = (count: number) =>
      harness.createBatch(account.key, {
        sourceUrls: Array.from({ length: count }, () => url),
        operation: 'upscale',
        onQuota: 'partial',
      });
    const before = await harness.footprint();
    const { status, body, headers } = await create(4);
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'service_unavailable' });
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(await harness.footprint()).toEqual(before);
    expect((await create(3)).status).toBe(201);
  });

  it('what a refused batch would have used is free again', async () => {
    const own = await harness.createAccount({ limits: { enhancements: 1 } });
    await harness.rows("UPDATE jobs SET status = 'failed', error_code = 'canceled' WHERE status = 'queued'");
    const { url } = await harness.newSource(own, await photo(100, 100, 'jpeg'));
    const sourceUrls = [url, url, url];
    for (const _ of [1, 2])
      expect((await harness.createBatch(own.key, { sourceUrls, operation: 'upscale' })).status).toBe(403);
    expect((await harness.createJob(own.key, { sourceUrl: url, operation: 'upscale' })).status).toBe(201);
  });

  it('429 when the batch has more pixels than the account may use in a minute', async () => {
    const free = await harness.createAccount({ plan: 'free' });
    const { url } = await harness.newSource(free, await photo(100, 100, 'jpeg'));
    const before = await harness.footprint();
    const sourceUrls = [url, url];
    const first = await harness.createBatch(free.key, { sourceUrls, operation: 'upscale' });
    expect(first.status).toBe(201);
    const second = await harness.createBatch(free.key, { sourceUrls, operation: 'upscale' });
    expect(second).toMatchObject({ status: 429, body: { code: 'pixel_rate_limited' } });
    expect(await harness.footprint()).toMatchObject({ jobs: before.jobs + 2, batches: before.batches + 1 });
  });
});
