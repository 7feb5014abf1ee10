import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let browser: DashboardClient;
/** Names of the keys, newest first, and of those that work. */
let names: string[];
const ACTIVE = ['Replaced', 'Replaced', 'Live'];

beforeAll(async () => {
  harness = await sharedHarness();
  browser = new DashboardClient(harness);
  const { id: accountId } = await browser.newPerson();
  await harness.accountsOf.setPlan(accountId, 'business', null);
  const create = async (name: string): Promise<string> =>
    ((await browser.call('POST', '/keys', { json: { name } })).body as { id: string }).id;
  await create('Live');
  for (let n = 0; n < 3; n += 1) await browser.call('DELETE', `/keys/${await create(`Revoked ${n}`)}`);
  const expired = await create('Expired');
  await harness.rows(`UPDATE api_keys SET expires_at = now() - interval '1 day' WHERE id = $1`, [expired]);
  await browser.call('POST', `/keys/${await create('Replaced')}/rotate`, { json: {} });
  names = ['Replaced', 'Replaced', 'Expired', 'Revoked 2', 'Revoked 1', 'Revoked 0', 'Live'];
});
afterAll(() => harness.close());

interface Listed {
  readonly data: readonly { readonly name: string; readonly status: string }[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}
const list = async (query: string): Promise<Listed> =>
  (await browser.call('GET', `/keys${query}`)).body as Listed;
const namesOf = ({ data }: Listed): string[] => data.map(({ name }) => name);

describe('the list of keys', () => {
  it('is complete without a query, as clients without pages expect', async () => {
    const all = await list('');
    expect(namesOf(all)).toEqual(names);
    expect(all).toMatchObject({ active: 2, testActive: 0, inactive: 4, hasMore: false, nextCursor: null });
  });

  it('can be limited to keys that work, including those being replaced', async () => {
    const active = await list('?active=true');
    expect(namesOf(active)).toEqual(ACTIVE);
    expect(active.data.map(({ status }) => status)).toEqual(['active', 'replaced', 'active']);
    expect(active).toMatchObject({ inactive: 4, hasMore: false });
  });

  it('has pages of keys that were revoked or have expired', async () => {
    const first = await list('?active=false&limit=3');
    expect(namesOf(first)).toEqual(['Expired', 'Revoked 2', 'Revoked 1']);
    expect(first.hasMore).toBe(true);
    const second = await list(`?active=false&limit=3&cursor=${first.nextCursor}`);
    expect(namesOf(second)).toEqual(['Revoked 0']);
    expect(second).toMatchObject({ hasMore: false, nextCursor: null });
  });

  it.each([
    ['active=maybe', 'invalid_request'],
    ['limit=0', 'invalid_request'],
    ['limit=101', 'invalid_request'],
    ['cursor=x', 'invalid_cursor'],
  ])('refuses %s', async (query, code) => {
    const { status, body } = await browser.call('GET', `/keys?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code });
  });
});
