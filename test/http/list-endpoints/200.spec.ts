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

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

const list = async (query = '') => {
  const answer = await harness.call('GET', `/api/webhooks/endpoints${query}`, { key: account.key });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Page;
};

describe('GET /api/webhooks/endpoints → 200', () => {
  it('is empty at first', async () => {
    expect(await list()).toEqual({ data: [], hasMore: false, nextCursor: null });
  });

  it('lists the newest first, page by page, without secrets or endpoints of other accounts', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift((await harness.newEndpoint(account)).id);
    await harness.newEndpoint(await harness.createAccount());
    expect((await list()).data.map(({ id }) => id)).toEqual(ids);
    const first = await list('?limit=2');
    expect(first).toMatchObject({ data: [{ id: ids[0] }, { id: ids[1] }], hasMore: true });
    const second = await list(`?limit=3&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ hasMore: false, nextCursor: null });
    expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(JSON.stringify(await list())).not.toMatch(/whsec_|secret"/i);
  });
});
