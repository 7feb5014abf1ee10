import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import supertest, { type Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../support/app/harness.js';

const PAGE = '<!doctype html><title>Dashboard</title><script src="/assets/app-1a2b3c4d.js"></script>';
const SCRIPT = 'console.log("dashboard");'.repeat(100);

let harness: Harness;
let webDir: string;
beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'ies-web-'));
  await mkdir(join(webDir, 'assets'));
  await writeFile(join(webDir, 'index.html'), PAGE);
  await writeFile(join(webDir, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(webDir, 'assets', 'app-1a2b3c4d.js'), SCRIPT);
  await writeFile(join(webDir, 'assets', 'app-1a2b3c4d.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(webDir, 'assets', 'app-1a2b3c4d.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(webDir, 'secret.txt'), 'not for everyone');
  harness = await startHarness({ env: { WEB_DIR: webDir } });
});
afterAll(async () => {
  await harness.close();
  await rm(webDir, { recursive: true, force: true });
});

const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  supertest(harness.url).get(path).redirects(0).set(headers);
const script = '/assets/app-1a2b3c4d.js';

describe('the dashboard', () => {
  it.each([
    '/',
    '/sign-in',
    '/sign-up',
    '/forgot-password',
    '/reset-password',
    '/verify-email',
    '/change-email',
    '/playground',
    '/invitation',
    '/results',
    '/results/shared',
    '/batches',
    '/batches/bat_1',
    '/members',
    '/activity',
    '/account/security',
    '/operator/sign-in-as',
    '/operator/models/upscale/compare',
    '/jobs',
    '/jobs/job_1',
    '/photos',
    '/keys',
    '/usage',
    '/webhooks',
    '/webhooks/deliveries/dlv_1',
    '/models',
    '/account',
    '/operator',
    '/operator/accounts/acc_1',
    '/operator/failed-jobs',
    '/operator/failing-endpoints',
    '/operator/workers',
    '/operator/models',
    '/operator/audit',
    '/operator/settings',
  ])('serves its document at %s', async (path) => {
    const { status, text, headers } = await get(path);
    expect({ status, text }).toEqual({ status: 200, text: PAGE });
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('allows no inline scripts and nothing from other origins', async () => {
    const policy = (await get('/')).headers['content-security-policy']!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; ");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.split('; ').filter((part) => part.includes('unsafe'))).toEqual([
      "style-src 'self' 'unsafe-inline'",
    ]);
  });

  describe('at an address that does not exist', () => {
    const open = (path: string) => get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });

    it.each(['/nothing', '/keys/x', '/jobs/a/b', '//example.com/'])(
      'serves its document with 404 to a browser: %s',
      async (path) => {
        const { status, text, headers } = await open(path);
        expect({ status, text }).toEqual({ status: 404, text: PAGE });
        expect(headers['content-security-policy']).toContain("default-src 'none'");
      },
    );

    it.each([
      ['/playground/', '../playground'],
      ['/jobs/', '../jobs'],
      ['/operator/accounts/', '../accounts'],
      ['/jobs/job_1/', '../job_1'],
      ['/sign-in/?next=%2Fkeys%2F', '../sign-in?next=%2Fkeys%2F'],
      ['/docs/quickstart/', '../quickstart'],
      ['/docs/explorer/', '../explorer'],
    ])('removes the trailing slash of %s, also below the path of a proxy', async (path, location) => {
      const { status, headers } = await open(path);
      expect([status, headers['location']]).toEqual([308, location]);
    });

    it.each([
      '/api/nothing',
      '/files/nothing.jpg',
      '/dashboard/api/nothing',
      '/docs/nothing.js',
      '/assets/nothing.js',
    ])('returns a problem document under paths that programs call: %s', async (path) => {
      expect((await open(path)).headers['content-type']).toContain('application/problem+json');
    });

    it('returns a problem document to clients that accept JSON', async () => {
      const { status, headers } = await get('/nothing', { accept: 'application/json' });
      expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
    });
  });

  it('returns 304 until its document changes', async () => {
    const { headers } = await get('/');
    const again = await get('/keys', { 'if-none-match': headers['etag']! });
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
  });

  it('serves files with a hash in their name compressed, and cacheable forever', async () => {
    const plain = await get(script, { 'accept-encoding': 'identity' });
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'content-length': String(SCRIPT.length),
    });
    expect(plain.headers['content-type']).toMatch(/javascript/);
    for (const encoding of ['br', 'gzip']) {
      const { status, headers } = await get(script, { 'accept-encoding': encoding });
      expect({ status, encoding: headers['content-encoding'] }).toEqual({ status: 200, encoding });
      expect(Number(headers['content-length'])).toBeLessThan(SCRIPT.length / 10);
      expect(headers['content-type']).toBe(plain.headers['content-type']);
    }
    expect((await get('/favicon.svg')).headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'image/svg+xml',
    });
  });

  it.each([
    '/assets/gone-1a2b3c4d.js',
    '/assets/%2e%2e%2fsecret.txt',
    '/assets/..%2Fsecret.txt',
    '/assets/',
    '/secret.txt',
    '/theme.js',
    '/nothing',
  ])('returns 404 at %s, and does not let clients cache it forever', async (path) => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(404);
    expect(headers['cache-control'] ?? '').not.toContain('immutable');
    expect(body).toMatchObject({ code: 'not_found' });
  });

  it('does not hide the API, files, documentation, or health routes', async () => {
    expect((await get('/api/nothing')).status).toBe(401);
    expect((await get('/dashboard/api/nothing')).status).toBe(404);
    expect((await get('/files/nothing')).status).toBe(404);
    expect((await get('/health/live')).body).toEqual({ status: 'ok' });
    expect((await get('/docs')).text).toContain('documentation');
  });

  it('explains what to do when it was not built', async () => {
    const other = await startHarness({ env: { WEB_DIR: join(webDir, 'not-there') } });
    try {
      const { status, text, headers } = await supertest(other.url).get('/');
      expect(status).toBe(503);
      expect(headers['content-type']).toMatch(/^text\/plain/);
      expect(text).toContain('npm run setup');
    } finally {
      await other.close();
    }
  });
});
