import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /files/src_… → 403', () => {
  it('for a key of the account that may not read, unless the URL is signed', async () => {
    const account = await harness.createAccount();
    const source = await harness.newSource(account);
    const { key } = await harness.createKey(account, { scopes: ['image:write', 'webhook:manage'] });
    const path = source.url.replace(PUBLIC_URL, '');
    const bare = await harness.call('GET', path.split('?')[0]!, { key });
    expect(bare.status).toBe(403);
    expect(bare.body).toMatchObject({ code: 'insufficient_scope' });
    expect((await harness.call('GET', path, { key })).status).toBe(200);
  });
});
