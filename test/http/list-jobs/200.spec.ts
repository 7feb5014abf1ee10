import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { unsigned } from '../../support/app/unsigned.js';

interface Page {
  readonly data: readonly { id: string; status: string; operation: string; createdAt: string }[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

let harness: Harness;
let account: TestAccount;
let sourceUrl: string;
/** The IDs in order of creation. */
const ids: string[] = [];
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  sourceUrl = (await harness.newSource(account)).url;
  for (let index = 0; index < 45; index += 1) {
    const operation = ['upscale', 'smooth_skin', 'bg_remove'][index % 3];
    ids.push((await harness.newJob(account, { sourceUrl, operation })).id);
  }
});
afterAll(() => harness.close());

async function list(query: string, key = account.key): Promise<Page> {
  const { status, body, text } = await harness.call('GET', `/api/ai/enhance${query}`, { key });
  expect(status, text).toBe(200);
  const page = body as Page;
  expect(page.hasMore).toBe(page.nextCursor !== null);
  return page;
}

/** All pages, from first to last. */
async function walk(
  query: string,
  between: () => Promise<void> = async () => undefined,
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await list(cursor === null ? `?${query}` : `?${query}&cursor=${cursor}`);
    pages.push(page.data.map(({ id }) => id));
    cursor = page.nextCursor;
    await between();
  } while (cursor !== null);
  return pages;
}

const idsOf = (page: Page): string[] => page.data.map(({ id }) => id);

describe('GET /api/ai/enhance → 200', () => {
  it('shows the newest 20 first', async () => {
    const page = await list('');
    expect(idsOf(page)).toEqual(ids.toReversed().slice(0, 20));
    expect(page.hasMore).toBe(true);
  });

  it.each([1, 7, 20, 44, 45, 46, 100])(
    'pages through all 45 jobs in pages of %i, without gaps or duplicates',
    async (limit) => {
      const pages = await walk(`limit=${limit}`);
      expect(pages.flat()).toEqual(ids.toReversed());
      expect(pages.map((page) => page.length)).toEqual([
        ...Array<number>(Math.ceil(45 / limit) - 1).fill(limit),
        45 % limit === 0 ? limit : 45 % limit,
      ]);
    },
  );

  it('is not affected by jobs that are created meanwhile', async () => {
    const own = await harness.createAccount();
    const { url } = await harness.newSource(own);
    const before = [];
    for (let index = 0; index < 9; index += 1)
      before.push((await harness.newJob(own, { sourceUrl: url })).id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await list(`?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`, own.key);
      seen.push(...idsOf(page));
      cursor = page.nextCursor;
      await harness.newJob(own, { sourceUrl: url });
    } while (cursor !== null);
    expect(seen).toEqual(before.toReversed());
  });

  it('shows each job like its own URL', async () => {
    const [first] = (await list('?limit=1')).data;
    const { body } = await harness.call('GET', `/api/ai/enhance/${first!.id}`, { key: account.key });
    expect(unsigned(first)).toEqual(unsigned(body));
  });

  it('filters by operation, and pages within the filter', async () => {
    const wanted = ids.filter((_, index) => index % 3 === 1).toReversed();
    expect((await walk('operation=smooth_skin&limit=4')).flat()).toEqual(wanted);
    expect(idsOf(await list('?operation=auto_enhance'))).toEqual([]);
  });

  it('filters by status', async () => {
    const own = await harness.createAccount();
    const { url } = await harness.newSource(own);
    const [queued, processing, completed, failed] = [
      await harness.newJob(own, { sourceUrl: url }),
      await harness.newJob(own, { sourceUrl: url }),
      await harness.newJob(own, { sourceUrl: url }),
      await harness.newJob(own, { sourceUrl: url }),
    ];
    await harness.jobs.claim(processing.id);
    await harness.jobs.complete(completed.id);
    await harness.jobs.fail(failed.id);
    const found = Object.fromEntries(
      await Promise.all(
        ['queued', 'processing', 'completed', 'failed'].map(async (status) => [
          status,
          idsOf(await list(`?status=${status}`, own.key)),
        ]),
      ),
    ) as Record<string, string[]>;
    expect(found).toEqual({
      queued: [queued.id],
      processing: [processing.id],
      completed: [completed.id],
      failed: [failed.id],
    });
  });

  it('filters by time: after and before, both exclusive', async () => {
    const all = (await list('?limit=100')).data.toReversed();
    const [from, to] = [all[10]!.createdAt, all[30]!.createdAt];
    const expected = all.filter(({ createdAt }) => createdAt > from && createdAt < to).map(({ id }) => id);
    const found = (await walk(`createdAfter=${from}&createdBefore=${to}&limit=6`)).flat();
    expect(found).toEqual(expected.toReversed());
    expect(found.length).toBeGreaterThan(0);
    expect(idsOf(await list(`?createdAfter=2999-01-01T00:00:00.000Z`))).toEqual([]);
    expect(idsOf(await list(`?createdBefore=2000-01-01T00:00:00Z`))).toEqual([]);
  });

  it('finds jobs by time that were created while the clock was set back', async () => {
    const own = await harness.createAccount();
    const { id } = await harness.newJob(own);
    await harness.rows(`UPDATE jobs SET created_at = created_at - interval '20 hours' WHERE id = $1`, [id]);
    const [job] = (await list('', own.key)).data;
    const at = Date.parse(job!.createdAt);
    const [before, after] = [at + 1, at - 1].map((ms) => new Date(ms).toISOString());
    expect(idsOf(await list(`?createdAfter=${after}&createdBefore=${before}`, own.key))).toEqual([id]);
    expect(idsOf(await list(`?createdAfter=${before}`, own.key))).toEqual([]);
  });

  it('finds jobs by time after the clock of the process was a month ahead and was corrected', async () => {
    const own = await harness.createAccount();
    newId('job', Date.now() + 30 * 86_400_000);
    const { id } = await harness.newJob(own);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(idsOf(await list(`?createdBefore=${soon}`, own.key))).toEqual([id]);
  });

  it('accepts times with an offset', async () => {
    const [newest] = (await list('?limit=1')).data;
    const local = new Date(Date.parse(newest!.createdAt) + 2 * 3_600_000 - 1).toISOString();
    const offset = encodeURIComponent(local.replace('Z', '+02:00'));
    expect(idsOf(await list(`?createdAfter=${offset}`))).toEqual([newest!.id]);
  });

  it('combines filters', async () => {
    const page = await list('?status=queued&operation=bg_remove&limit=100');
    expect(idsOf(page)).toEqual(ids.filter((_, index) => index % 3 === 2).toReversed());
    expect(idsOf(await list('?status=completed&operation=bg_remove'))).toEqual([]);
  });

  it('shows no jobs of other accounts, and no deleted jobs', async () => {
    const own = await harness.createAccount();
    expect(await list('', own.key)).toEqual({ data: [], hasMore: false, nextCursor: null });
    const { id } = await harness.newJob(own);
    expect(idsOf(await list('', own.key))).toEqual([id]);
    await harness.call('DELETE', `/api/ai/enhance/${id}`, { key: own.key });
    expect(idsOf(await list('', own.key))).toEqual([]);
  });

  it('shows only jobs of the account, even with the cursor of another account', async () => {
    const own = await harness.createAccount();
    const { id } = await harness.newJob(own);
    const { nextCursor } = await list('?limit=1');
    const { data } = await list(`?cursor=${nextCursor}`, own.key);
    for (const job of data) expect(job.id).toBe(id);
  });
});
