import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('POST /api/ai/enhance/:id/cancel → 410', () => {
  it('for a deleted job', async () => {
    const account = await harness.createAccount();
    const { id } = await harness.newJob(account);
    await harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
    const before = await harness.footprint();
    const { status, body } = await harness.call('POST', `/api/ai/enhance/${id}/cancel`, { key: account.key });
    expect([status, (body as { code: string }).code]).toEqual([410, 'gone']);
    expect(await harness.footprint()).toEqual(before);
  });
});
