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

describe('GET /api/ai/batches/:id/results.zip → 304', () => {
  it('when the client already has the archive', async () => {
    const { id } = await endedBatch(harness, account);
    const { headers } = await readArchive(harness, account, id);
    const etag = headers.get('etag')!;
    const { status, bytes } = await readArchive(harness, account, id, { 'if-none-match': etag });
    expect([status, bytes.length]).toEqual([304, 0]);
  });
});
