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

describe('POST /api/ai/batches/:id/cancel → 409', () => {
  it('when every item has ended', async () => {
    const { id } = await harness.newBatch(account);
    await harness.jobs.complete((await harness.batchJobs(id))[0]!);
    const before = await harness.footprint();
    const { status, body } = await harness.call('POST', `/api/ai/batches/${id}/cancel`, { key: account.key });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'batch_already_finished' });
    expect(await harness.footprint()).toEqual(before);
    const read = await harness.call('GET', `/api/ai/batches/${id}`, { key: account.key });
    expect(read.body).toMatchObject({ status: 'completed', counts: { completed: 1, canceled: 0 } });
  });
});
