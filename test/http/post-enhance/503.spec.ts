import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/harness.js';
import { photo } from '../../support/images.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({ env: { QUEUE_MAX_PIXELS: '30000' } });
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('POST /api/ai/enhance → 503', () => {
  it('when the queue is full: nothing is created or charged, and a wait is named', async () => {
    const { url } = await harness.newSource(account, await photo(100, 100, 'jpeg'));
    const create = () => harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' });
    for (const _ of [1, 2, 3]) expect((await create()).status).toBe(201);
    const before = await harness.footprint();
    const { status, body, headers } = await create();
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'service_unavailable' });
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    expect(await harness.footprint()).toEqual(before);
  });
});
