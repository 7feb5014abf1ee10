import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPOSED_HEADERS } from '../../../src/app/api/cors.js';
import { photo } from '../../support/images/images.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

const PAGE = 'https://app.example';
const STRANGER = 'https://app.example.evil.example';

const corsHeaders = (answer: Response) =>
  [...answer.headers.keys()].filter((name) => name.startsWith('access-control-')).toSorted();

const preflight = (harness: Harness, path: string, origin: string, method = 'POST') =>
  fetch(`${harness.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type,idempotency-key,x-api-key',
    },
  });

describe('cross-origin pages with CORS_ORIGINS', () => {
  let harness: Harness;
  let account: TestAccount;
  beforeAll(async () => {
    harness = await startHarness({ env: { CORS_ORIGINS: `${PAGE}, http://localhost:5173` } });
    account = await harness.createAccount();
  });
  afterAll(() => harness.close());

  it.each([
    ['/api/ai/upload', 'POST'],
    ['/api/ai/enhance/job_1', 'DELETE'],
    ['/api/webhooks/endpoints/we_1', 'PATCH'],
    ['/api/ai/presets/mine', 'PUT'],
    ['/files/job_1.png', 'GET'],
  ])('pass the preflight check: %s %s', async (path, method) => {
    const answer = await preflight(harness, path, PAGE, method);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(answer.headers.get('access-control-allow-methods')).toContain(method);
    const allowed = answer.headers.get('access-control-allow-headers')!.split(', ');
    const sent = [
      'x-api-key',
      'content-type',
      'idempotency-key',
      'prefer',
      'cancel-after',
      'last-event-id',
      'x-request-id',
      'range',
      'if-range',
      'if-none-match',
    ];
    expect(allowed).toEqual(expect.arrayContaining(sent));
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    // A response for one origin must not be cached for another.
    expect(answer.headers.get('vary')).toMatch(/\borigin\b/i);
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('are not required: OPTIONS without an Origin returns 204 as well', async () => {
    const answer = await fetch(`${harness.url}/api/ai/enhance`, { method: 'OPTIONS' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('may read successful responses and all of their headers', async () => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await photo(40, 30, 'jpeg'))]), 'photo.jpg');
    const headers = { origin: PAGE, 'x-api-key': account.key, 'idempotency-key': 'one' };
    const upload = await fetch(`${harness.url}/api/ai/upload`, { method: 'POST', headers, body: form });
    expect(upload.status).toBe(201);
    expect(upload.headers.get('access-control-allow-origin')).toBe(PAGE);
    const { url } = (await upload.json()) as { url: string };
    const create = await fetch(`${harness.url}/api/ai/enhance`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'two' },
      body: JSON.stringify({ sourceUrl: url, operation: 'upscale' }),
    });
    expect(create.status).toBe(201);
    const exposed = create.headers.get('access-control-expose-headers')!.split(', ');
    expect(exposed).toEqual(EXPOSED_HEADERS);
    // Browsers show only these headers and the exposed ones; a page must not miss any header of the API.
    const shown = [
      'content-type',
      'content-length',
      'cache-control',
      'expires',
      'last-modified',
      'content-language',
    ];
    const ofHttp = [
      'connection',
      'date',
      'keep-alive',
      'vary',
      'transfer-encoding',
      'x-content-type-options',
      'strict-transport-security',
    ];
    const known = new Set([...shown, ...ofHttp, ...exposed.map((name) => name.toLowerCase())]);
    const hidden = [...create.headers.keys()].filter(
      (name) => !known.has(name) && !name.startsWith('access-control-'),
    );
    expect(hidden).toEqual([]);
  });

  it('may also read errors, event streams, and files', async () => {
    const job = await harness.newJob(account);
    await harness.jobs.complete(job.id);
    const source = await harness.newSource(account);
    const key = { 'x-api-key': account.key };
    for (const [path, headers, status] of [
      ['/api/ai/enhance', {}, 401],
      ['/api/ai/enhance/job_unknown', key, 404],
      ['/api/nothing', key, 404],
      [`/api/ai/enhance/${job.id}/events`, key, 200],
      [new URL(source.url).pathname.replace(/^\/base/, '') + new URL(source.url).search, {}, 200],
    ] as const) {
      const answer = await fetch(`${harness.url}${path}`, { headers: { origin: PAGE, ...headers } });
      await answer.arrayBuffer();
      expect([path, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        path,
        status,
        PAGE,
      ]);
    }
  });

  it.each([STRANGER, 'http://app.example', 'https://APP.example.', 'null'])(
    'are refused when their origin is not on the list: %s',
    async (origin) => {
      const asked = await preflight(harness, '/api/ai/enhance', origin);
      expect(asked.headers.has('access-control-allow-origin')).toBe(false);
      const answer = await fetch(`${harness.url}/api/usage`, {
        headers: { origin, 'x-api-key': account.key },
      });
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
      expect(answer.headers.get('vary')).toMatch(/\borigin\b/i);
    },
  );

  it.each([
    '/dashboard/api/session',
    '/dashboard/api/ai/enhance',
    '/dashboard',
    '/health/live',
    '/docs',
    '/metrics',
  ])('cannot read routes that do not take an API key: %s', async (path) => {
    const asked = await preflight(harness, path, PAGE);
    expect(asked.status).toBeGreaterThanOrEqual(400);
    expect(corsHeaders(asked)).toEqual([]);
    const answer = await fetch(`${harness.url}${path}`, { headers: { origin: PAGE } });
    expect(corsHeaders(answer)).toEqual([]);
  });
});

describe('cross-origin pages with CORS_ORIGINS=*', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ env: { CORS_ORIGINS: '*' } });
  });
  afterAll(() => harness.close());

  it('may call the API from any origin, but without cookies', async () => {
    const asked = await preflight(harness, '/api/ai/enhance', STRANGER);
    expect(asked.headers.get('access-control-allow-origin')).toBe('*');
    expect(asked.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('cannot read the dashboard API', async () => {
    const asked = await preflight(harness, '/dashboard/api/session', STRANGER);
    expect(corsHeaders(asked)).toEqual([]);
  });
});

describe('cross-origin pages by default', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  it('cannot read anything', async () => {
    const asked = await preflight(harness, '/api/ai/enhance', PAGE);
    expect(asked.status).toBeGreaterThanOrEqual(400);
    expect(corsHeaders(asked)).toEqual([]);
    const answer = await fetch(`${harness.url}/api/usage`, { headers: { origin: PAGE } });
    expect(corsHeaders(answer)).toEqual([]);
    expect(answer.headers.has('vary')).toBe(false);
  });
});
