import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const PATH = '/api/webhooks/endpoints';
const URL_OF_ALL = 'https://receiver.example/hooks?tenant=1';

describe('POST /api/webhooks/endpoints → 201', () => {
  it('returns the whole endpoint with its secret and Location', async () => {
    const json = { url: URL_OF_ALL, description: 'Orders', metadata: { team: 'a' } };
    const { status, body, headers } = await harness.call('POST', PATH, { key: account.key, json });
    expect(status).toBe(201);
    const { secret, ...shown } = body as { id: string; secret: string };
    expect(shown).toEqual({
      id: expect.stringMatching(/^we_[0-9a-f]{32}$/) as unknown,
      url: URL_OF_ALL,
      events: ['*'],
      description: 'Orders',
      metadata: { team: 'a' },
      enabled: true,
      disabledReason: null,
      failingSince: null,
      lastFailureAt: null,
      previousSecretExpiresAt: null,
      createdAt: expect.stringMatching(/Z$/) as unknown,
      updatedAt: expect.stringMatching(/Z$/) as unknown,
    });
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice(6), 'base64').length).toBeGreaterThanOrEqual(24);
    expect(headers['location']).toBe(`${PATH}/${shown.id}`);
    const read = await harness.call('GET', headers['location']!, { key: account.key });
    expect(read.body).toEqual(shown);
  });

  it('stores the secret only in sealed form', async () => {
    const { id, secret } = await harness.newEndpoint(account);
    const key = 'sealed-answer';
    const json = { url: URL_OF_ALL };
    const answer = await harness.call('POST', PATH, {
      key: account.key,
      json,
      headers: { 'idempotency-key': key },
    });
    const other = (answer.body as { secret: string }).secret;
    const rows = await harness.rows<{ row: string }>(
      `SELECT w::text || encode(sealed_secret, 'escape') AS row FROM webhook_endpoints w
       UNION ALL SELECT body::text FROM idempotency_keys`,
    );
    const all = rows.map(({ row }) => row).join('\n');
    expect(all).toContain(id);
    for (const one of [secret, other]) {
      expect(all).not.toContain(one.slice(6));
      expect(all).not.toContain(Buffer.from(one.slice(6), 'base64').toString('hex'));
    }
  });

  it('stores the given event types', async () => {
    for (const events of [['*'], ['ping'], ['job.completed', 'upload.finished']]) {
      const endpoint = await harness.newEndpoint(account, { events });
      expect(endpoint.events).toEqual(events);
    }
  });

  it('returns the same endpoint and secret again for the same Idempotency-Key', async () => {
    const own = await harness.createAccount();
    const create = (url: string) =>
      harness.call('POST', PATH, { key: own.key, json: { url }, headers: { 'idempotency-key': 'once' } });
    const first = await create(URL_OF_ALL);
    const second = await create(URL_OF_ALL);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const { body } = await harness.call('GET', PATH, { key: own.key });
    expect((body as { data: unknown[] }).data).toHaveLength(1);
  });

  it('normalizes URLs and drops the fragment', async () => {
    const { url } = await harness.newEndpoint(account, { url: 'HTTPS://Receiver.Example:443/a/../b#c' });
    expect(url).toBe('https://receiver.example/b');
  });

  it('accepts URLs of this machine where the configuration allows them', async () => {
    const env = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };
    const local = await harness.another({ env });
    try {
      const json = { url: 'http://127.0.0.1:4000/' };
      expect((await local.call('POST', PATH, { key: account.key, json })).status).toBe(201);
      expect((await harness.call('POST', PATH, { key: account.key, json })).status).toBe(400);
    } finally {
      await local.close();
    }
  });
});
