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

describe('POST /api/ai/batches/:id/retry → 400', () => {
  it('when the source of every failed item was deleted', async () => {
    const source = await harness.newSource(account);
    const { id } = await harness.newBatch(account, { sourceUrls: [source.url] });
    await harness.jobs.fail((await harness.batchJobs(id))[0]!);
    await harness.call('DELETE', `/api/ai/sources/${source.id}`, { key: account.key });
    expect(await retry(id)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'sourceUrls.0', code: 'gone' }] },
    });
  });

  it('when the callback is no longer accepted, and says what to do', async () => {
    const { id } = await harness.newBatch(account, { callbackUrl: 'https://receiver.example/done' });
    await harness.jobs.fail((await harness.batchJobs(id))[0]!);
    await harness.rows(
      `UPDATE batches SET request = jsonb_set(request, '{callbackUrl}', '"http://receiver.example/done"') WHERE id = $1`,
      [id],
    );
    expect(await retry(id)).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_request',
        detail: expect.stringContaining('Create a new batch for its failed items.') as unknown,
        errors: [{ field: 'callbackUrl', code: 'format' }],
      },
    });
  });

  it.each([{ includeCanceled: 'yes' }, { onQuota: 'none' }, { operation: 'upscale' }])(
    'for %j',
    async (json) => {
      const { id } = await harness.newBatch(account);
      expect((await retry(id, json)).status).toBe(400);
    },
  );
});
