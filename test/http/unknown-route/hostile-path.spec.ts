import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { RawRequest } from '../../support/app/raw-request.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

/** Every folder that serves files, and the pages. */
const ROOTS = [
  '/',
  '/docs/',
  '/docs',
  '/docs/explorer/',
  '/docs/reference/',
  '/assets/',
  '/files/',
  '/files/src_',
  '/dashboard/',
  '/webhooks/',
  '/jobs/',
];

/** Paths that have broken file servers. */
const HOSTILE = [
  '%00',
  '%5C',
  'errors%00',
  'a'.repeat(3_000),
  `${'a'.repeat(300)}.js`,
  `${'a/'.repeat(1_000)}x`,
  '..',
  '../',
  '../..',
  '../../package.json',
  '..%2f..%2fpackage.json',
  '%2e%2e/%2e%2e/package.json',
  '..%5c..%5cpackage.json',
  '..\\..\\package.json',
  './',
  '.',
  '//',
  '//etc/passwd',
  '.env',
  '.git/config',
  '%2e%67it/config',
  'swagger-ui.css%00.js',
  'swagger-ui.css/',
  'swagger-ui.css/x',
  'swagger-ui.css%2f..%2f..%2fpackage.json',
  'con.js',
  '%ff',
  '%zz',
  '%',
  '%u0041',
  '%e2%80%ae.js',
  'package.json',
  'LICENSE',
  '*',
  ';x',
  '?%00',
  '?x[__proto__]=1',
  '#x',
  '%0d%0aSet-Cookie:%20a=b',
  '%250a',
  `${'%2e%2e%2f'.repeat(500)}etc/passwd`,
];

describe('a hostile path', () => {
  it.each(ROOTS)('below %s is answered with a page, a redirect, or a clear problem', async (root) => {
    for (const rest of HOSTILE) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const request = await RawRequest.open(harness.url, `${method} ${root}${rest}`, {
          connection: 'close',
        });
        const answer = await request.answer();
        const what = `${method} ${root}${rest.slice(0, 80)} → ${answer.status} ${answer.body.slice(0, 200)}`;
        expect([200, 301, 302, 400, 404, 405, 503], what).toContain(answer.status);
        expect(answer.headers, what).not.toHaveProperty('set-cookie');
        expect(answer.body, what).not.toMatch(/root:|"devDependencies"|"swagger-ui-dist"/);
        if ([400, 404, 405].includes(answer.status)) {
          expect(answer.headers['content-type'], what).toMatch(/^application\/problem\+json/);
          if (method !== 'HEAD')
            expect(JSON.parse(answer.body), what).toMatchObject({ status: answer.status });
        }
      }
    }
  });
});
