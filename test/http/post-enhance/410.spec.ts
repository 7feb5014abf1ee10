import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('POST /api/ai/enhance → 410', () => {
  it('for a source that was deleted', async () => {
    const account = await harness.createAccount();
    const { id, url } = await harness.newSource(account);
    await harness.call('DELETE', `/api/ai/sources/${id}`, { key: account.key });
    const before = await harness.footprint();
    const { status, body } = await harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' });
    expect(status).toBe(410);
    expect(body).toMatchObject({ code: 'gone' });
    expect(await harness.footprint()).toEqual(before);
  });
});
