import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testAccountOf } from '../../../src/kernel/accounts/livemode.js';
import { SCOPES } from '../../../src/kernel/scopes.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { KEY_ROUTES, pathFor } from '../../support/app/routes.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let live: TestAccount;
let test: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
});
// Each test gets the full rate limit of test mode.
beforeEach(async () => {
  live = await harness.createAccount();
  const { key, id: keyId } = await harness.createKey(live, { scopes: SCOPES, livemode: false });
  test = { id: testAccountOf(live.id), key, keyId };
});
afterAll(() => harness.close());

const WITH_ID = KEY_ROUTES.filter(({ path }) => path.includes('{id}'));
/** Lists of what an account created. */
const LISTS = KEY_ROUTES.filter(({ operationId }) =>
  ['listJobs', 'listBatches', 'listSources', 'listWebhookEndpoints', 'listWebhookDeliveries'].includes(
    operationId,
  ),
);

/** The path with an ID in test mode, created with the test key alone. */
async function pathInTestMode(path: string): Promise<string> {
  const idOf = async (): Promise<string> => {
    if (path.startsWith('/api/ai/enhance')) return (await harness.newJob(test)).id;
    if (path.startsWith('/api/ai/batches')) return (await harness.newBatch(test)).id;
    if (path.startsWith('/api/ai/uploads')) return (await harness.newDirectUpload(test)).id;
    if (path.startsWith('/api/ai/sources')) return (await harness.newSource(test)).id;
    const endpoint = await harness.call('POST', '/api/webhooks/endpoints', {
      key: test.key,
      json: { url: 'https://receiver.example/hook' },
    });
    expect(endpoint.status, endpoint.text).toBe(201);
    const { id } = endpoint.body as { id: string };
    if (path.startsWith('/api/webhooks/endpoints')) return id;
    const ping = await harness.call('POST', `/api/webhooks/endpoints/${id}/ping`, { key: test.key });
    expect(ping.status, ping.text).toBe(202);
    return (ping.body as { id: string }).id;
  };
  return path.replace('{id}', await idOf());
}

describe('a test key', () => {
  it.each(WITH_ID)('$method $path does not find what a live key created', async (route) => {
    const path = await pathFor(route, harness, live);
    const before = await harness.footprint();
    const { json } = route;
    const { status, body } = await harness.call(route.method, path, {
      key: test.key,
      ...(json === undefined ? {} : { json }),
    });
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'not_found' });
    expect(await harness.footprint()).toEqual(before);
  });

  it.each(LISTS)('$method $path lists nothing that a live key created', async ({ path }) => {
    const { id } = await harness.newEndpoint(live);
    await Promise.all([harness.newJob(live), harness.newBatch(live), harness.newDelivery(live, id)]);
    const { status, body } = await harness.call('GET', path, { key: test.key });
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [] });
  });

  it.each([
    ['POST', '/api/ai/enhance', { operation: 'upscale' }],
    ['POST', '/api/ai/batches', { operation: 'upscale' }],
  ])('%s %s does not accept a live upload', async (method, path, what) => {
    const { url } = await harness.newSource(live);
    const json = path.endsWith('batches') ? { ...what, sourceUrls: [url] } : { ...what, sourceUrl: url };
    const { status, body } = await harness.call(method, path, { key: test.key, json });
    expect([400, 404]).toContain(status);
    expect(JSON.stringify(body)).toContain('in your account');
  });

  it('neither finds nor changes a preset that a live key saved', async () => {
    const preset = (key: string, method: string, operation?: string) =>
      harness.call(method, '/api/ai/presets/mine', {
        key,
        ...(operation === undefined ? {} : { json: { operations: [{ operation }] } }),
      });
    expect((await preset(live.key, 'PUT', 'upscale')).status).toBe(201);
    expect((await preset(test.key, 'GET')).status).toBe(404);
    expect((await preset(test.key, 'DELETE')).status).toBe(404);
    expect((await preset(test.key, 'PUT', 'bg_remove')).status).toBe(201);
    expect((await preset(live.key, 'GET')).body).toMatchObject({ operations: [{ operation: 'upscale' }] });
    const { body } = await harness.call('GET', '/api/ai/presets', { key: live.key });
    expect(
      (body as { presets: { name: string }[] }).presets.filter(({ name }) => name === 'mine'),
    ).toHaveLength(1);
  });

  it('GET /api/usage counts test mode and live mode separately', async () => {
    const before = (await harness.call('GET', '/api/usage', { key: live.key })).body;
    await harness.newJob(test);
    await harness.newBatch(test);
    expect((await harness.call('GET', '/api/usage', { key: live.key })).body).toEqual(before);
    const { body } = await harness.call('GET', '/api/usage', { key: test.key });
    expect(body).toMatchObject({ requestsPerMinute: { limit: 120 }, enhancements: { used: 0 } });
    const rows = await harness.rows('SELECT 1 FROM quota_ledger WHERE account_id = $1', [test.id]);
    expect(rows).toEqual([]);
  });
});

describe('a live key', () => {
  it.each(WITH_ID)('$method $path does not find what a test key created', async ({ method, path, json }) => {
    const { status, body } = await harness.call(method, await pathInTestMode(path), {
      key: live.key,
      ...(json === undefined ? {} : { json }),
    });
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'not_found' });
  });

  it.each(LISTS)('$method $path lists nothing that a test key created', async ({ path }) => {
    await harness.newJob(test);
    await harness.newBatch(test);
    const { body } = await harness.call('GET', path, { key: live.key });
    expect(body).toMatchObject({ data: [] });
  });
});
