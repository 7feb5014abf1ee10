import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { newResult } from '../../support/app/results.js';

let harness: Harness;
let path: string;
let bytes: Buffer;
let etag: string;
beforeAll(async () => {
  harness = await sharedHarness();
  const account = await harness.createAccount();
  bytes = Buffer.from('the pixels of a result');
  path = (await newResult(harness, account, bytes)).resultUrl.replace(PUBLIC_URL, '');
  const whole = await harness.call('GET', path);
  expect(whole.status).toBe(200);
  expect(whole.headers['accept-ranges']).toBe('bytes');
  etag = whole.headers['etag']!;
});
afterAll(() => harness.close());

const get = (headers: Record<string, string>) => harness.call('GET', path, { headers });

describe('GET /files/job_… → 206', () => {
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
});
