import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /files/src_… → 416', () => {
  it('for a part after the end, and names the size', async () => {
    const account = await harness.createAccount();
    const bytes = await photo(40, 30, 'png');
    const path = (await harness.newSource(account, bytes)).url.replace(PUBLIC_URL, '');
    for (const range of [`bytes=${bytes.length}-`, 'bytes=-0', 'bytes=99999999-']) {
      const { status, body, headers } = await harness.call('GET', path, { headers: { range } });
      expect({ range, status, body: body as unknown }).toMatchObject({
        range,
        status: 416,
        body: { code: 'range_not_satisfiable' },
      });
      expect(headers['content-range']).toBe(`bytes */${bytes.length}`);
    }
    const unsigned = await harness.call('GET', path.split('?')[0]!, {
      headers: { range: 'bytes=99999999-' },
    });
    expect(unsigned.status).toBe(404);
    expect(unsigned.headers).not.toHaveProperty('content-range');
  });
});
