import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { RawRequest } from '../../support/app/raw-request.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

/** Headers that file servers read. */
const HOSTILE: readonly Record<string, string>[] = [
  { range: 'bytes=99999999-' },
  { range: 'bytes=0-0,1-1,2-2' },
  { range: `bytes=${'0-0,'.repeat(1_000)}1-1` },
  { range: `bytes=${'9'.repeat(400)}-` },
  { range: 'bytes=-0' },
  { 'if-range': '"x"', range: 'bytes=0-1' },
  { 'if-none-match': '"'.repeat(5_000) },
  { 'if-match': '"x"' },
  { 'if-modified-since': 'Thu, 99 Xxx 0000 99:99:99 GMT' },
  { 'if-unmodified-since': 'Mon, 01 Jan 1990 00:00:00 GMT' },
  { 'accept-encoding': `${'br;q=0.1,'.repeat(500)}gzip` },
];

describe('hostile headers', () => {
  it.each([
    '/',
    '/docs',
    '/docs/site.css',
    '/docs/explorer/swagger-ui.css',
    '/openapi.json',
    '/favicon.svg',
    '/assets/x.js',
    '/files/src_x.jpg',
  ])('at %s never cause an internal error', async (path) => {
    for (const headers of HOSTILE) {
      const request = await RawRequest.open(harness.url, `GET ${path}`, { ...headers, connection: 'close' });
      const { status, body } = await request.answer();
      expect(
        [200, 206, 304, 400, 404, 416, 503],
        `${JSON.stringify(headers).slice(0, 80)} ${body.slice(0, 200)}`,
      ).toContain(status);
    }
  });
});
