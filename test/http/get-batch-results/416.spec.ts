import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endedBatch, readArchive } from '../../support/app/batch-archive.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('GET /api/ai/batches/:id/results.zip → 416', () => {
  it('for a range beyond the end, with the size of the archive', async () => {
    const { id } = await endedBatch(harness, account);
    const { bytes } = await readArchive(harness, account, id);
    const answer = await harness.call('GET', `/api/ai/batches/${id}/results.zip`, {
      key: account.key,
      headers: { range: `bytes=${bytes.length}-` },
    });
    expect(answer).toMatchObject({ status: 416, body: { code: 'range_not_satisfiable' } });
    expect(answer.headers['content-range']).toBe(`bytes */${bytes.length}`);
  });
});
