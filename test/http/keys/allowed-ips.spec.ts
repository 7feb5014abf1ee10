import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let behindProxy: Harness;
let account: TestAccount;
let browser: DashboardClient;
beforeAll(async () => {
  harness = await startHarness({ env: { AUTH_FAILURES_PER_MINUTE: '1000' } });
  behindProxy = await harness.another({ env: { TRUST_PROXY: 'true', AUTH_FAILURES_PER_MINUTE: '5' } });
  account = await harness.createAccount();
  browser = new DashboardClient(harness);
  await browser.signInto(account);
});
afterAll(async () => {
  await behindProxy?.close();
  await harness?.close();
});

interface Shown {
  readonly id: string;
  readonly key: string;
  readonly allowedIps: readonly string[] | null;
}

async function newKey(allowedIps: readonly string[] | null): Promise<Shown> {
  const { status, body, text } = await browser.call('POST', '/keys', {
    json: { name: 'Office', allowedIps },
  });
  expect(status, text).toBe(201);
  return body as Shown;
}

const use = (key: string, from?: string) =>
  (from === undefined ? harness : behindProxy).call('GET', '/api/usage', {
    key,
    ...(from !== undefined && { headers: { 'x-forwarded-for': from } }),
  });

describe('a key with allowed IP addresses', () => {
  it('works from these addresses, and gets 403 with its own code from others', async () => {
    const inside = await newKey(['127.0.0.1', '2001:db8::/32']);
    expect(inside.allowedIps).toEqual(['127.0.0.1/32', '2001:db8::/32']);
    expect((await use(inside.key)).status).toBe(200);
    const outside = await newKey(['192.0.2.0/24']);
    const refused = await use(outside.key);
    expect(refused).toMatchObject({ status: 403, body: { code: 'address_not_allowed' } });
    expect(refused.text).toContain('127.0.0.1');
  });

  it('works from anywhere when the list is empty', async () => {
    expect((await newKey([])).allowedIps).toBeNull();
    expect((await newKey(null)).allowedIps).toBeNull();
  });

  it('uses the address that a trusted proxy reports, IPv4 or IPv6', async () => {
    const { key } = await newKey(['192.0.2.0/24', '2001:db8::/32']);
    expect((await use(key, '192.0.2.9')).status).toBe(200);
    expect((await use(key, '::ffff:192.0.2.9')).status).toBe(200);
    expect((await use(key, '2001:db8:1::9')).status).toBe(200);
    expect((await use(key, '203.0.113.5:40001, 192.0.2.9:51234')).status).toBe(200);
    expect((await use(key, '[2001:db8:1::9]:51234')).status).toBe(200);
    expect((await use(key, '198.51.100.1')).body).toMatchObject({ code: 'address_not_allowed' });
    // Without TRUST_PROXY, the header is ignored.
    const forged = await harness.call('GET', '/api/usage', {
      key,
      headers: { 'x-forwarded-for': '192.0.2.9' },
    });
    expect(forged.status).toBe(403);
  });

  it('counts a refused address as a failed authentication, which slows down only that address', async () => {
    const { key } = await newKey(['192.0.2.0/24']);
    for (let request = 0; request < 5; request += 1) expect((await use(key, '203.0.113.5')).status).toBe(403);
    const began = performance.now();
    expect((await use(key, '203.0.113.5')).status).toBe(403);
    expect(performance.now() - began).toBeGreaterThan(900);
    expect((await use(key, '192.0.2.9')).status).toBe(200);
  });

  it('keeps its list when it is rotated', async () => {
    const { id } = await newKey(['192.0.2.0/24']);
    const { body } = await browser.call('POST', `/keys/${id}/rotate`, { json: {} });
    expect(body).toMatchObject({ allowedIps: ['192.0.2.0/24'] });
  });

  it.each([
    { allowedIps: ['office'] },
    { allowedIps: ['192.0.2.1', '10.0.0.0/33'] },
    { allowedIps: ['::ffff:192.0.2.1'] },
    { allowedIps: 'text' },
    { allowedIps: [7] },
    { allowedIps: Array.from({ length: 51 }, () => '::1') },
  ])('is not created with %j', async ({ allowedIps }) => {
    const { status, body } = await browser.call('POST', '/keys', { json: { name: 'Office', allowedIps } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'allowedIps' }] });
  });
});

describe('changing a key', () => {
  it('changes each setting without affecting the others', async () => {
    const { id, key } = await newKey(null);
    const renamed = await browser.call('PATCH', `/keys/${id}`, { json: { name: ' Warehouse ' } });
    expect(renamed).toMatchObject({
      status: 200,
      body: { id, name: 'Warehouse', allowedIps: null, expiresAt: null },
    });
    expect(renamed.text).not.toContain(key);
    const bound = await browser.call('PATCH', `/keys/${id}`, {
      json: { allowedIps: ['10.9.9.9/8'], scopes: ['image:read'], expiresAt: '2999-01-01T00:00:00Z' },
    });
    expect(bound.body).toMatchObject({
      name: 'Warehouse',
      scopes: ['image:read'],
      allowedIps: ['10.0.0.0/8'],
      expiresAt: '2999-01-01T00:00:00.000Z',
    });
    expect((await use(key)).status).toBe(403);
    const open = await browser.call('PATCH', `/keys/${id}`, { json: { allowedIps: null, expiresAt: null } });
    expect(open.body).toMatchObject({ allowedIps: null, expiresAt: null, scopes: ['image:read'] });
    expect((await use(key)).status).toBe(200);
  });

  it('rejects an expiration in the past, and any change to a revoked key', async () => {
    const { id } = await newKey(null);
    const past = await browser.call('PATCH', `/keys/${id}`, { json: { expiresAt: '2001-01-01T00:00:00Z' } });
    expect(past).toMatchObject({ status: 400, body: { errors: [{ field: 'expiresAt', code: 'past' }] } });
    expect((await browser.call('DELETE', `/keys/${id}`)).status).toBe(204);
    const ended = await browser.call('PATCH', `/keys/${id}`, { json: { name: 'Again' } });
    expect(ended).toMatchObject({ status: 410, body: { code: 'gone' } });
  });

  it('is possible only for its owner', async () => {
    const stranger = new DashboardClient(harness);
    await stranger.newPerson();
    const { id } = await newKey(['127.0.0.1']);
    expect((await stranger.call('PATCH', `/keys/${id}`, { json: { allowedIps: null } })).status).toBe(404);
  });
});
