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

describe('POST /api/ai/batches/:id/retry → 410', () => {
  it('for a background that was deleted meanwhile', async () => {
    const [source, background] = [await harness.newSource(account), await harness.newSource(account)];
    const batch = await harness.newBatch(account, {
      sourceUrls: [source.url],
      operation: 'bg_remove',
      output: { background: { sourceUrl: background.url } },
    });
    await harness.jobs.fail((await harness.batchJobs(batch.id))[0]!);
    await harness.call('DELETE', `/api/ai/sources/${background.id}`, { key: account.key });
    const { status, body } = await harness.call('POST', `/api/ai/batches/${batch.id}/retry`, {
      key: account.key,
      json: {},
    });
    const message = `The source "${background.id}" was deleted.`;
    const errors = [{ field: 'output.background.sourceUrl', code: 'gone', message }];
    expect([status, body]).toMatchObject([410, { code: 'gone', detail: message, errors }]);
  });
});
