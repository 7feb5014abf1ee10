import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /api/ai/sources/:id → 410', () => {
  it('for a deleted source; other accounts get 404', async () => {
    const [account, stranger] = [await harness.createAccount(), await harness.createAccount()];
    const { id } = await harness.newSource(account);
    await harness.call('DELETE', `/api/ai/sources/${id}`, { key: account.key });
    const mine = await harness.call('GET', `/api/ai/sources/${id}`, { key: account.key });
    expect([mine.status, (mine.body as { code: string }).code]).toEqual([410, 'gone']);
    expect((await harness.call('GET', `/api/ai/sources/${id}`, { key: stranger.key })).status).toBe(404);
  });
});
