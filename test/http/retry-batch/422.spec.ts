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

describe('POST /api/ai/batches/:id/retry → 422 idempotency_mismatch', () => {
  it('when the key was used with another request', async () => {
    const { id } = await harness.newBatch(account);
    await harness.jobs.fail((await harness.batchJobs(id))[0]!);
    const retry = (json: object) =>
      harness.call('POST', `/api/ai/batches/${id}/retry`, {
        key: account.key,
        json,
        headers: { 'Idempotency-Key': 'one' },
      });
    expect((await retry({})).status).toBe(200);
    expect(await retry({ includeCanceled: true })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_mismatch' },
    });
  });
});
