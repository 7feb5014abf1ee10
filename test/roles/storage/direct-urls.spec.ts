import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL, startHarness, type TestAccount } from '../../support/app/harness.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { newResult } from '../../support/app/results.js';
import { S3Server } from '../../support/storage/s3-server.js';

const BYTES = Buffer.from('these are the pixels');
const ALLOWED_ORIGIN = 'https://app.example';

describe('OBJECT_URLS=direct', () => {
  let server: S3Server;
  let harness: Harness;
  let account: TestAccount;
  let path: string;

  beforeAll(async () => {
    server = await S3Server.start();
    // The AWS SDK reads them from the environment of the process.
    Object.assign(process.env, server.credentials);
    harness = await startHarness({
      env: { ...server.environment(), OBJECT_URLS: 'direct', CORS_ORIGINS: ALLOWED_ORIGIN },
    });
    account = await harness.createAccount();
    path = (await newResult(harness, account, BYTES)).resultUrl.replace(PUBLIC_URL, '');
  });
  afterAll(async () => {
    await harness?.close();
    await server?.close();
  });

  const redirected = (address: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${harness.url}${address}`, { headers, redirect: 'manual' });

  it('redirects to a store URL that expires with ours', async () => {
    const { status, headers } = await harness.call('GET', path);
    expect(status).toBe(302);
    expect(headers['cache-control']).toBe('no-store');
    const location = new URL(headers['location']!);
    expect(location.origin).toBe(server.url);
    const signedAt = location.searchParams.get('X-Amz-Date')!;
    const [, ...fields] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(signedAt)!.map(Number);
    const [year, month, ...rest] = fields as [number, number, number, number, number, number];
    const endsAt =
      Date.UTC(year, month - 1, ...rest) / 1000 + Number(location.searchParams.get('X-Amz-Expires'));
    const exp = Number(new URL(path, PUBLIC_URL).searchParams.get('exp'));
    // The two times come from two clock readings, at most a second apart.
    expect(Math.abs(endsAt - exp)).toBeLessThanOrEqual(2);
    const answer = await fetch(location);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-disposition')).toMatch(/^inline; filename="job_.*\.png"$/);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(BYTES);
    const part = await fetch(location, { headers: { range: 'bytes=6-8' } });
    expect([part.status, await part.text()]).toEqual([206, 'are']);
  });

  it('gives the holder of a key a short-lived URL', async () => {
    const { status, headers } = await redirected(path.split('?')[0]!, { 'x-api-key': account.key });
    expect(status).toBe(302);
    const seconds = Number(new URL(headers.get('location')!).searchParams.get('X-Amz-Expires'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(300);
  });

  it('gives the holder of a key no longer URL for an expiry that is not signed', async () => {
    const forged = `${path.split('?')[0]!}?exp=9999999999&sig=x`;
    const { status, headers } = await redirected(forged, { 'x-api-key': account.key });
    expect(status).toBe(302);
    const seconds = Number(new URL(headers.get('location')!).searchParams.get('X-Amz-Expires'));
    expect(seconds).toBeLessThanOrEqual(300);
  });

  it('checks the signature and the ETag before it redirects', async () => {
    const forged = path.replace(/sig=./, 'sig=g');
    expect((await harness.call('GET', forged)).status).toBe(404);
    const etag = `"${createHash('sha256').update(BYTES).digest('hex')}"`;
    const cached = await harness.call('GET', path, { headers: { 'if-none-match': etag } });
    expect(cached.status).toBe(304);
  });

  it('serves HEAD requests and dashboard pages directly', async () => {
    const head = await harness.call('HEAD', path);
    expect([head.status, head.headers['content-length']]).toEqual([200, String(BYTES.length)]);
    const page = await harness.call('GET', path, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(page.status).toBe(200);
    expect(Buffer.compare(page.body as Buffer, BYTES)).toBe(0);
  });

  it('serves dashboard pages at plain HTTP addresses, where browsers send no Sec-Fetch-Site', async () => {
    for (const own of [`${harness.url}/jobs/job_x`, `${PUBLIC_URL}/jobs/job_x`]) {
      const page = await redirected(path, { referer: own });
      expect([page.status, Buffer.from(await page.arrayBuffer())]).toEqual([200, BYTES]);
    }
    expect((await redirected(path, { referer: 'https://other.example/jobs/job_x' })).status).toBe(302);
  });

  it('serves pages that CORS allows directly, because browsers send Origin: null after a redirect', async () => {
    const page = await redirected(path, { origin: ALLOWED_ORIGIN });
    expect(page.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    expect([page.status, Buffer.from(await page.arrayBuffer())]).toEqual([200, BYTES]);
    expect((await redirected(path, { origin: 'https://other.example' })).status).toBe(302);
  });

  it('never redirects visitors of a share link, so that revoking it takes effect at once', async () => {
    const browser = new DashboardClient(harness);
    await browser.signInto(account);
    const [jobId] = /job_[0-9a-f]{32}/.exec(path)!;
    const made = await browser.call('POST', '/ai/share-links', { json: { jobId, expiresIn: 3_600 } });
    const { url, id } = made.body as { url: string; id: string };
    const shared = url.replace(PUBLIC_URL, '');
    for (const file of ['photo', 'download']) {
      const answer = await redirected(`${shared}/${file}`);
      expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, BYTES]);
    }
    await browser.call('DELETE', `/ai/share-links/${id}`);
    expect((await redirected(`${shared}/photo`)).status).toBe(404);
  });
});
