import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endedBatch } from '../../support/app/batch-archive.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('GET /api/ai/batches/:id/results.zip → 409', () => {
  it('until every item has ended, including after a retry', async () => {
    const { id } = await endedBatch(harness, account);
    await harness.call('POST', `/api/ai/batches/${id}/retry`, { key: account.key });
    const answer = await harness.call('GET', `/api/ai/batches/${id}/results.zip`, { key: account.key });
    expect(answer).toMatchObject({ status: 409, body: { code: 'batch_not_finished' } });
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });
});
