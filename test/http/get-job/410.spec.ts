import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /api/ai/enhance/:id → 410', () => {
  it('for a deleted job; other accounts get 404', async () => {
    const [account, stranger] = [await harness.createAccount(), await harness.createAccount()];
    const { id } = await harness.newJob(account);
    await harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
    const mine = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
    expect([mine.status, (mine.body as { code: string }).code]).toEqual([410, 'gone']);
    const theirs = await harness.call('GET', `/api/ai/enhance/${id}`, { key: stranger.key });
    expect(theirs.status).toBe(404);
  });
});
