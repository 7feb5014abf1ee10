import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../support/app/harness.js';

let secure: Harness;
let plain: Harness;
beforeAll(async () => {
  secure = await startHarness();
  plain = await secure.another({ env: { PUBLIC_URL: 'http://localhost:3000' } });
});
afterAll(async () => {
  await plain.close();
  await secure.close();
});

const headersOf = async (harness: Harness, path: string): Promise<Record<string, string>> =>
  (await supertest(harness.url).get(path)).headers;

const PATHS = [
  '/',
  '/docs',
  '/docs/errors',
  '/openapi.json',
  '/health/live',
  '/api/usage',
  '/nothing',
  '/files/x.jpg',
  // Malformed: the router refuses it.
  '/api/%ff',
];

describe('security headers', () => {
  it.each(PATHS)('%s sends Strict-Transport-Security only when PUBLIC_URL is https', async (path) => {
    expect((await headersOf(secure, path))['strict-transport-security']).toBe('max-age=31536000');
    expect(await headersOf(plain, path)).not.toHaveProperty('strict-transport-security');
  });

  it.each([
    '/',
    '/keys',
    '/docs',
    '/docs/errors',
    '/docs/plans',
    '/docs/explorer',
    '/%64ocs/errors',
    '/docs/%65xplorer',
  ])('%s denies camera, microphone, and location, and cannot be framed', async (path) => {
    const headers = await headersOf(secure, path);
    for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb'])
      expect(headers['permissions-policy']).toContain(`${feature}=()`);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it.each(['/dashboard/api/session', '/dashboard/%61pi/session', '/dashboard/api/nothing'])(
    '%s is not cached',
    async (path) => {
      expect((await headersOf(secure, path))['cache-control']).toBe('no-store');
    },
  );
});
