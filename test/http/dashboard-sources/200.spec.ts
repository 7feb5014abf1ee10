import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
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
let browser: DashboardClient;
const ids: string[] = [];
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  browser = new DashboardClient(harness);
  await browser.signInto(account);
  for (let index = 0; index < 5; index += 1) ids.unshift((await harness.newSource(account)).id);
});
afterAll(() => harness.close());

const list = async (query: string): Promise<Page> => {
  const { status, body, text } = await browser.call('GET', `/ai/sources?${query}`);
  expect(status, text).toBe(200);
  return body as Page;
};

describe('GET /dashboard/api/ai/sources → 200', () => {
  it('lists the photos of the account page by page, newest first', async () => {
    const first = await list('limit=3');
    expect(first).toMatchObject({ hasMore: true, data: ids.slice(0, 3).map((id) => ({ id })) });
    const rest = await list(`limit=3&cursor=${first.nextCursor!}`);
    expect(rest).toMatchObject({ hasMore: false, nextCursor: null });
    expect(rest.data.map(({ id }) => id)).toEqual(ids.slice(3));
  });

  it('shows what the public API shows plus the name, with a URL that needs no key', async () => {
    const here = await browser.call('GET', `/ai/sources/${ids[0]!}`);
    const there = await harness.call('GET', `/api/ai/sources/${ids[0]!}`, { key: account.key });
    const withoutUrl = (body: unknown) => Object.assign({}, body, { url: null });
    expect(withoutUrl(here.body)).toEqual(withoutUrl({ ...(there.body as object), name: 'photo.jpg' }));
    const { url } = here.body as SourceAnswer;
    expect((await harness.call('GET', url.replace(PUBLIC_URL, ''))).status).toBe(200);
  });

  it('names a photo after its file, and does not keep the name of a deleted photo', async () => {
    const file = { bytes: await photo(32, 24, 'jpeg'), name: 'Zoë am Strand.jpg' };
    const uploaded = await browser.call('POST', '/ai/upload', { file });
    expect(uploaded.status, uploaded.text).toBe(201);
    const { id } = uploaded.body as SourceAnswer;
    expect(uploaded.body).not.toHaveProperty('name');
    expect((await browser.call('GET', `/ai/sources/${id}`)).body).toMatchObject({ name: file.name });
    expect((await list('limit=1')).data[0]).toMatchObject({ id, name: file.name });
    expect((await browser.call('DELETE', `/ai/sources/${id}`)).status).toBe(204);
    expect(await harness.rows('SELECT name FROM sources WHERE id = $1', [id])).toEqual([{ name: null }]);
  });

  it('shows nothing of other accounts', async () => {
    const other = await harness.newSource(await harness.createAccount());
    expect((await list('limit=100')).data.map(({ id }) => id)).not.toContain(other.id);
    expect((await browser.call('GET', `/ai/sources/${other.id}`)).status).toBe(404);
  });
});
