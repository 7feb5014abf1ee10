import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { RATE_PIXELS_PER_MINUTE: 'free=25000' } });
});
afterAll(() => harness.close());

describe('POST /api/ai/batches → 429 pixel_rate_limited', () => {
  it('when the batch has more pixels than the account may use in a minute', async () => {
    const account = await harness.createAccount({ plan: 'free' });
    const { url } = await harness.newSource(account, await photo(100, 100, 'jpeg'));
    const create = () =>
      harness.createBatch(account.key, { sourceUrls: [url, url], operation: 'upscale', onQuota: 'partial' });
    expect((await create()).status).toBe(201);
    const before = await harness.footprint();
    expect(await create()).toMatchObject({ status: 429, body: { code: 'pixel_rate_limited' } });
    expect(await harness.footprint()).toEqual(before);
    expect((await harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' })).status).toBe(429);
  });
});
