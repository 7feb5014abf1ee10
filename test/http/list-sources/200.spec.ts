import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import type { SourceAnswer } from '../../support/app/answers.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

interface Page {
  readonly data: readonly SourceAnswer[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

let harness: Harness;
let account: TestAccount;
const ids: string[] = [];
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  const bytes = await photo(8, 8, 'png');
  for (let index = 0; index < 23; index += 1) ids.push((await harness.newSource(account, bytes)).id);
});
afterAll(() => harness.close());

async function list(query: string, key = account.key): Promise<Page> {
  const { status, body } = await harness.call('GET', `/api/ai/sources?${query}`, { key });
  expect(status).toBe(200);
  return body as Page;
}

describe('GET /api/ai/sources → 200', () => {
  it('shows the newest 20 first', async () => {
    const page = await list('');
    expect(page.data.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 20));
    expect(page.hasMore).toBe(true);
  });

  it('pages through all sources, without gaps or duplicates', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await list(`limit=5${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ id }) => id));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids.toReversed());
  });

  it('shows no deleted sources, and none of other accounts', async () => {
    const own = await harness.createAccount();
    expect(await list('', own.key)).toEqual({ data: [], hasMore: false, nextCursor: null });
    const { id } = await harness.newSource(own);
    expect((await list('', own.key)).data).toHaveLength(1);
    await harness.call('DELETE', `/api/ai/sources/${id}`, { key: own.key });
    expect((await list('', own.key)).data).toEqual([]);
  });
});
