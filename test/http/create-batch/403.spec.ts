import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('POST /api/ai/batches → 403 quota_exceeded', () => {
  it.each(['all', 'partial'])('when the quota is too small, with onQuota %s', async (onQuota) => {
    const account = await harness.createAccount({ limits: { enhancements: onQuota === 'all' ? 2 : 0 } });
    await harness.listen(account);
    const { url } = await harness.newSource(account);
    const before = await harness.footprint();
    const { status, body } = await harness.createBatch(account.key, {
      sourceUrls: [url, url, url],
      operation: 'upscale',
      onQuota,
    });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'quota_exceeded', quota: 'enhancements', used: 0 });
    expect(await harness.footprint()).toEqual({ ...before, events: before.events + 1 });
    expect((await harness.eventTypes(account)).at(-1)).toBe('quota.exceeded');
  });

  it('when the storage is full', async () => {
    const account = await harness.createAccount({ limits: { storageBytes: 100_000 } });
    const { url, bytes } = await harness.newSource(account);
    const job = await harness.newJob(account, { sourceUrl: url });
    await harness.jobs.complete(job.id, Buffer.alloc(100_000 - bytes));
    const before = await harness.footprint();
    const { status, body } = await harness.createBatch(account.key, {
      sourceUrls: [url],
      operation: 'upscale',
      onQuota: 'partial',
    });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'quota_exceeded', quota: 'storage' });
    expect(await harness.footprint()).toMatchObject({ ...before });
  });
});
