import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../../src/auth/keys/api-key.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { KEY_ROUTES, pathFor } from '../../support/app/routes.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

/** Headers without a valid key. */
async function badHeaders(): Promise<Record<string, Record<string, string>>> {
  const { key } = account;
  const expired = await harness.createKey(account, { expiresAt: new Date(Date.now() - 1_000) });
  const revoked = await harness.createKey(account);
  await harness.accountsOf.revokeKey(revoked.id);
  return {
    'no key': {},
    'an empty key': { 'x-api-key': '' },
    'a word': { 'x-api-key': 'secret' },
    'a mistyped key': { 'x-api-key': key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a') },
    'a key of nobody': { 'x-api-key': generateApiKey().key },
    'an expired key': { 'x-api-key': expired.key },
    'a revoked key': { 'x-api-key': revoked.key },
    'two keys': { 'x-api-key': `${key}, ${key}` },
    'a bearer token': { authorization: `Bearer ${key}` },
    'basic authentication': { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  };
}

describe('401', () => {
  it.each(KEY_ROUTES)('$method $path refuses everything but a valid key', async (route) => {
    const path = await pathFor(route, harness, account);
    for (const [name, headers] of Object.entries(await badHeaders())) {
      const { status, body } = await harness.call(route.method, path, { headers });
      expect({ name, status, body: body as unknown }).toMatchObject({
        status: 401,
        body: { code: 'unauthorized' },
      });
    }
  });

  it('ignores a bearer token next to a valid key', async () => {
    const { status } = await harness.call('GET', '/api/usage', {
      key: account.key,
      headers: { authorization: 'Bearer something' },
    });
    expect(status).toBe(200);
  });

  it('does not accept a key from the query', async () => {
    const { status } = await harness.call('GET', `/api/usage?x-api-key=${account.key}`);
    expect(status).toBe(401);
  });

  it('accepts a key that has not expired yet', async () => {
    const { key } = await harness.createKey(account, { expiresAt: new Date(Date.now() + 3_600_000) });
    expect((await harness.call('GET', '/api/usage', { key })).status).toBe(200);
  });

  it('also refuses unknown routes under /api without a key', async () => {
    expect((await harness.call('GET', '/api/nothing')).status).toBe(401);
  });

  it('distinguishes a mistyped key from an unknown one', async () => {
    const details = [];
    for (const key of [`${account.key.slice(0, -6)}000000`, generateApiKey().key]) {
      const { body } = await harness.call('GET', '/api/usage', { key });
      details.push((body as { detail: string }).detail);
    }
    expect(details[0]).toMatch(/typos/);
    expect(details[1]).toMatch(/unknown, revoked or expired/);
  });

  it('leaves nothing behind', async () => {
    const before = await harness.footprint();
    await harness.call('POST', '/api/ai/upload', {
      headers: { authorization: `Bearer ${account.key}` },
      file: { bytes: Buffer.alloc(100_000), name: 'photo.jpg' },
    });
    expect(await harness.footprint()).toEqual(before);
  });
});
