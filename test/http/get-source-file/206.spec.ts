import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let path: string;
let bytes: Buffer;
let etag: string;
beforeAll(async () => {
  harness = await sharedHarness();
  const account = await harness.createAccount();
  bytes = await photo(40, 30, 'png');
  path = (await harness.newSource(account, bytes)).url.replace(PUBLIC_URL, '');
  const whole = await harness.call('GET', path);
  expect(whole.status).toBe(200);
  expect(whole.headers['accept-ranges']).toBe('bytes');
  etag = whole.headers['etag']!;
});
afterAll(() => harness.close());

const get = (headers: Record<string, string>) => harness.call('GET', path, { headers });

describe('GET /files/src_… → 206', () => {
  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=3-3', 3, 4],
    ['bytes=5-999999999', 5, undefined],
  ])('%s answers only that part', async (range, start, end) => {
    const { status, body, headers } = await get({ range });
    const part = bytes.subarray(start, end);
    const first = start < 0 ? bytes.length + start : start;
    expect(status).toBe(206);
    expect(Buffer.compare(body as Buffer, part)).toBe(0);
    expect(headers).toMatchObject({
      'content-range': `bytes ${first}-${first + part.length - 1}/${bytes.length}`,
      'content-length': String(part.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      etag,
    });
  });

  it('answers the whole file to several ranges, and to a header that says nothing', async () => {
    for (const range of ['bytes=0-1,4-5', 'bytes=9-5', 'items=0-5', 'bytes=', 'nonsense']) {
      const { status, body, headers } = await get({ range });
      expect({ range, status }).toEqual({ range, status: 200 });
      expect(Buffer.compare(body as Buffer, bytes)).toBe(0);
      expect(headers).not.toHaveProperty('content-range');
    }
  });

  it('answers a part after If-Range only while the file is the one the client knows', async () => {
    const range = 'bytes=0-4';
    expect((await get({ range, 'if-range': etag })).status).toBe(206);
    for (const other of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
      expect((await get({ range, 'if-range': other })).status).toBe(200);
    }
  });

  it('answers 304 before it looks at the range', async () => {
    expect((await get({ range: 'bytes=0-4', 'if-none-match': etag })).status).toBe(304);
  });

  it('does not look at the range of a HEAD', async () => {
    for (const range of ['bytes=0-4', 'bytes=99999999-']) {
      const { status, headers } = await harness.call('HEAD', path, { headers: { range } });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-length': String(bytes.length),
        'accept-ranges': 'bytes',
        etag,
      });
      expect(headers).not.toHaveProperty('content-range');
    }
  });

  it('answers no part to who may not read the file', async () => {
    const stranger = await harness.createAccount();
    const [bare] = path.split('?');
    const answers = [
      await harness.call('GET', bare!, { headers: { range: 'bytes=0-4' } }),
      await harness.call('GET', bare!, { headers: { range: 'bytes=0-4' }, key: stranger.key }),
      await harness.call('GET', `${path}0`, { headers: { range: 'bytes=0-4' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
