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

const list = (query: string) => harness.call('GET', `/api/ai/batches?${query}`, { key: account.key });

describe('GET /api/ai/batches', () => {
  it('pages through the batches of the account, newest first, with their counts', async () => {
    const { url } = await harness.newSource(account);
    await harness.newBatch(await harness.createAccount());
    const ids: string[] = [];
    for (let count = 1; count <= 3; count += 1) {
      const sourceUrls = Array.from({ length: count }, () => url);
      ids.unshift((await harness.newBatch(account, { sourceUrls })).id);
    }
    const [job] = await harness.batchJobs(ids[0]!);
    await harness.jobs.complete(job!);
    const first = await list('limit=2');
    expect(first.body).toMatchObject({
      data: [
        { id: ids[0], status: 'processing', counts: { total: 3, queued: 2, completed: 1 }, percent: 33 },
        { id: ids[1], status: 'queued', counts: { total: 2, queued: 2 } },
      ],
      hasMore: true,
    });
    const { nextCursor } = first.body as { nextCursor: string };
    const second = await list(`limit=2&cursor=${nextCursor}`);
    expect(second.body).toMatchObject({ data: [{ id: ids[2] }], hasMore: false, nextCursor: null });
  });

  it.each(['limit=0', 'limit=101', 'status=queued', 'cursor=x'])('refuses %s', async (query) => {
    expect((await list(query)).status).toBe(400);
  });
});
