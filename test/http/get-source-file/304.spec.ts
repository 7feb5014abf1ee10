import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /files/src_… → 304', () => {
  it('when If-None-Match matches the file, in any of its forms', async () => {
    const account = await harness.createAccount();
    const source = await harness.newSource(account);
    const path = source.url.replace(PUBLIC_URL, '');
    const first = await harness.call('GET', path);
    const etag = first.headers['etag']!;
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await harness.call('GET', path, {
        headers: { 'if-none-match': match },
      });
      expect({ match, status }).toEqual({ match, status: 304 });
      expect(text ?? '').toBe('');
      expect(headers['etag']).toBe(etag);
    }
    const other = await harness.call('GET', path, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('only for clients that may read the file', async () => {
    const account = await harness.createAccount();
    const source = await harness.newSource(account);
    const [bare] = source.url.replace(PUBLIC_URL, '').split('?');
    const { status } = await harness.call('GET', bare!, { headers: { 'if-none-match': '*' } });
    expect(status).toBe(404);
  });
});
