import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /files/src_… → 401', () => {
  it('when an invalid key is sent; without a key, only the signature counts', async () => {
    const source = await harness.newSource(await harness.createAccount());
    const path = source.url.replace(PUBLIC_URL, '');
    expect((await harness.call('GET', path, { key: 'nonsense' })).status).toBe(401);
    const bearer = await harness.call('GET', path, { headers: { authorization: 'Bearer nonsense' } });
    expect(bearer.status).toBe(200);
  });
});
