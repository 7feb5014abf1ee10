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

/** A batch whose background is this upload. */
async function createWith(backgroundUrl: string) {
  const { url } = await harness.newSource(account);
  return harness.createBatch(account.key, {
    sourceUrls: [url],
    operation: 'bg_remove',
    output: { background: { sourceUrl: backgroundUrl } },
  });
}

const remove = (sourceId: string) =>
  harness.call('DELETE', `/api/ai/sources/${sourceId}`, { key: account.key });

const goneBackground = (id: string) => ({
  code: 'gone',
  detail: `The source "${id}" was deleted.`,
  errors: [
    {
      field: 'output.background.sourceUrl',
      code: 'gone',
      message: `The source "${id}" was deleted.`,
    },
  ],
});

describe('POST /api/ai/batches → 410', () => {
  it('for a background that was deleted, which the error names among all uploads', async () => {
    const { id, url } = await harness.newSource(account);
    await remove(id);
    const { status, body } = await createWith(url);
    expect([status, body]).toMatchObject([410, goneBackground(id)]);
    expect(await harness.rows('SELECT id FROM batches WHERE account_id = $1', [account.id])).toEqual([]);
  });

  it('names the background of another account, which is answered with 404', async () => {
    const { id, url } = await harness.newSource(await harness.createAccount());
    const { status, body } = await createWith(url);
    expect([status, body]).toMatchObject([
      404,
      {
        code: 'not_found',
        errors: [{ field: 'output.background.sourceUrl', message: expect.stringContaining(id) }],
      },
    ]);
  });
});
