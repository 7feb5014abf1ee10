import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const retry = (id: string, json: object = {}) =>
  harness.call('POST', `/api/ai/batches/${id}/retry`, { key: account.key, json });

describe('POST /api/ai/batches/:id/retry → 409', () => {
  it('when nothing has failed', async () => {
    const { id } = await harness.newBatch(account);
    expect(await retry(id)).toMatchObject({ status: 409, body: { code: 'nothing_to_retry' } });
    await harness.call('POST', `/api/ai/batches/${id}/cancel`, { key: account.key });
    expect((await retry(id)).status).toBe(409);
  });
});
