import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('GET /files/src_… → 404', () => {
  it('for clients that may not read the file, as for a file that does not exist', async () => {
    const source = await harness.newSource(account);
    const stranger = await harness.createAccount();
    const [bare, query] = source.url.replace(PUBLIC_URL, '').split('?') as [string, string];
    const unknown = `/files/${newId('source')}.jpg`;
    const later = query.replace(/exp=\d+/, 'exp=9999999999');
    const bodies = [];
    for (const [path, options] of [
      [unknown, {}],
      [`${unknown}?${query}`, {}],
      [bare, {}],
      [bare, { key: stranger.key }],
      [`${bare}?exp=9999999999`, {}],
      [`${bare}?${later}`, {}],
      [`${bare}?${query.slice(0, -1)}`, {}],
      [`${bare}?${query}0`, {}],
      [`${bare}?${query.replace(/sig=.*/, 'sig=')}`, {}],
      [`${bare.replace('.jpg', '.png')}?${query}`, {}],
      [bare.replace('.jpg', '.png'), { key: account.key }],
      [`${bare}.jpg?${query}`, {}],
      [`${bare.replace('.jpg', '')}?${query}`, {}],
    ] as const) {
      const { status, body } = await harness.call('GET', path, options);
      expect({ path, status }).toEqual({ path, status: 404 });
      const { requestId: _requestId, ...rest } = body as { requestId: string };
      bodies.push(JSON.stringify(rest));
    }
    expect(new Set(bodies).size).toBe(1);
  });

  it('for anything that is not a file name', async () => {
    for (const name of ['x', '%00.jpg', '1.jpg', `${'0'.repeat(32)}.gif`, 'a'.repeat(300)]) {
      const { status } = await harness.call('GET', `/files/src_${name}`, { key: account.key });
      expect({ name, status }).toEqual({ name, status: 404 });
    }
  });
});
