import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { type Harness, PUBLIC_URL, startHarness } from '../../support/app/harness.js';
import { newResult } from '../../support/app/results.js';
import { CuttableProxy } from '../../support/network/cuttable-proxy.js';

const TOKEN = 'what-prometheus-sends';

/** Prometheus gives up after ten seconds. */
const SCRAPE_TIMEOUT_MS = 9_500;

let proxy: CuttableProxy;
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    env: { METRICS_TOKEN: TOKEN },
    databaseUrl: async (real) => {
      proxy = await CuttableProxy.start(real);
      return proxy.urlOf(real);
    },
  });
});
afterAll(async () => {
  await harness?.close();
  await proxy?.close();
});

async function text(): Promise<string> {
  const answer = await fetch(`${harness.url}/metrics`, {
    headers: { authorization: `Bearer ${TOKEN}` },
    signal: AbortSignal.timeout(SCRAPE_TIMEOUT_MS),
  });
  return answer.text();
}

/** The value of one series, or 0 if it does not exist. */
async function series(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  const lines = (await text()).split('\n').filter((line) => line.startsWith(`${name}{`));
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = lines.find((candidate) => wanted.every((pair) => candidate.includes(pair)));
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('GET /metrics about requests', () => {
  it('counts them by route pattern and status', async () => {
    const account = await harness.createAccount();
    const route = '/api/ai/enhance/:id';
    for (const id of ['job_a', 'job_b']) {
      const { status } = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
      expect(status).toBe(404);
    }
    await expect.poll(() => series('ies_http_requests_total', { route, status: '404' })).toBe(2);
    expect(await series('ies_http_request_seconds_count', { route, method: 'GET' })).toBe(2);
  });

  it('groups unknown paths into one series', async () => {
    for (const path of ['/nothing/here', '/nor/there'])
      expect((await fetch(`${harness.url}${path}`)).status).toBe(404);
    await expect.poll(() => series('ies_http_requests_total', { route: 'unmatched', status: '404' })).toBe(2);
  });

  it('excludes the duration of requests that wait for a job', async () => {
    const account = await harness.createAccount();
    const { url } = await harness.newSource(account);
    const { id } = await harness.newJob(account, { sourceUrl: url, operation: 'upscale', level: 'low' });
    const route = '/api/ai/enhance/:id';
    const before = await series('ies_http_request_seconds_count', { route });
    const headers = { prefer: 'wait=1' };
    expect((await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key, headers })).status).toBe(
      200,
    );
    await expect.poll(() => series('ies_http_requests_total', { route, status: '200' })).toBe(1);
    expect(await series('ies_http_request_seconds_count', { route })).toBe(before);
  });

  it.each(['/v1.0/removebg', '/api/remove'])(
    'excludes the duration of POST %s, which waits',
    async (route) => {
      const { key } = await harness.createAccount();
      const body = new FormData();
      body.append('size', 'auto');
      const init = { method: 'POST', headers: { 'x-api-key': key }, body };
      expect((await fetch(`${harness.url}${route}`, init)).status).toBe(400);
      await expect.poll(() => series('ies_http_requests_total', { route, status: '400' })).toBe(1);
      expect(await series('ies_http_request_seconds_count', { route })).toBe(0);
    },
  );

  it('excludes the duration of a creation whose form sends the file, but not of others', async () => {
    const { key } = await harness.createAccount();
    const labels = { route: '/api/ai/enhance', method: 'POST' };
    const measured = () => series('ies_http_request_seconds_count', labels);
    const before = await measured();
    let refused = 0;
    const refuse = async (body: BodyInit, headers: Readonly<Record<string, string>> = {}): Promise<void> => {
      const init = { method: 'POST', body, headers: { 'x-api-key': key, ...headers } };
      expect((await fetch(`${harness.url}${labels.route}`, init)).status).toBe(400);
      refused += 1;
      await expect.poll(() => series('ies_http_requests_total', { ...labels, status: '400' })).toBe(refused);
    };
    const form = new FormData();
    form.append('operation', 'none');
    await refuse(form);
    expect(await measured()).toBe(before);
    await refuse('{}', { 'content-type': 'application/json' });
    expect(await measured()).toBe(before + 1);
  });

  it('measures a download until its first byte, however slowly the client reads', async () => {
    // More than the buffers of a connection hold.
    const { resultUrl } = await newResult(harness, await harness.createAccount(), Buffer.alloc(32e6));
    const startMs = performance.now();
    const path = resultUrl.replace(PUBLIC_URL, '');
    const [answer] = (await once(get(`${harness.url}${path}`), 'response')) as [IncomingMessage];
    const firstByteSeconds = (performance.now() - startMs) / 1_000;
    await sleep(500);
    answer.resume();
    await once(answer, 'end');
    const route = '/files/job_:name';
    await expect.poll(() => series('ies_http_requests_total', { route, status: '200' })).toBe(1);
    expect(await series('ies_http_request_seconds_count', { route })).toBe(1);
    expect(await series('ies_http_request_seconds_sum', { route })).toBeLessThanOrEqual(firstByteSeconds);
  });

  it('counts a request whose client disconnects, and no longer counts it as in progress', async () => {
    const account = await harness.createAccount();
    const { url } = await harness.newSource(account);
    const { id } = await harness.newJob(account, { sourceUrl: url, operation: 'upscale', level: 'low' });
    const path = `/api/ai/enhance/${id}`;
    const waiting = request(`${harness.url}${path}`, {
      headers: { 'x-api-key': account.key, prefer: 'wait=60' },
    });
    waiting.on('error', () => undefined);
    waiting.end();
    // The request that reads the metrics is in progress as well.
    await expect.poll(() => series('ies_http_requests_in_progress')).toBe(2);
    waiting.destroy();
    await expect
      .poll(() => series('ies_http_requests_total', { route: '/api/ai/enhance/:id', status: 'aborted' }))
      .toBe(1);
    await expect.poll(() => series('ies_http_requests_in_progress')).toBe(1);
  });
});

describe('GET /metrics about the process', () => {
  it('shows the pool, the database, the store and the version', async () => {
    expect(await series('ies_database_up')).toBe(1);
    expect(await series('ies_database_connections_max')).toBe(10);
    expect(await series('ies_database_connections', { state: 'busy' })).toBeGreaterThanOrEqual(0);
    expect(await series('ies_build_info')).toBe(1);
    const account = await harness.createAccount();
    await harness.newSource(account);
    expect(
      await series('ies_storage_operations_total', { operation: 'commit', end: 'done' }),
    ).toBeGreaterThan(0);
  });

  it('counts statements that wait for a connection, but not those of the scrape, which find an idle one', async () => {
    const waiting = async (): Promise<number> =>
      Number(/^ies_database_requests_waiting\{role="api"\} (\d+)$/m.exec(await text())?.[1]);
    await expect.poll(waiting).toBe(0);
    expect([await waiting(), await waiting(), await waiting()]).toEqual([0, 0, 0]);
    const database = harness.app.get(Database);
    const slow = Promise.all(Array.from({ length: 13 }, () => database.query('SELECT pg_sleep(0.5)')));
    expect(await waiting()).toBeGreaterThanOrEqual(3);
    await slow;
  });

  it('shows in time that the database hangs', async () => {
    proxy.stall();
    try {
      expect(await text()).toMatch(/^ies_database_up\{role="api"\} 0$/m);
    } finally {
      proxy.flow();
    }
    await expect.poll(() => series('ies_database_up'), { timeout: 20_000 }).toBe(1);
  });
});
