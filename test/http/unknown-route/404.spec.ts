import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('an unknown route → 404', () => {
  it.each([
    ['GET', '/dashboard/api/nothing'],
    ['GET', '/dashboard/api'],
    ['GET', '/nothing'],
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['POST', '/api/nothing/at/all'],
    ['GET', '/api/ai'],
    ['GET', '/api/ai/enhance/a/b'],
    ['GET', `/api/ai/enhance/${'a'.repeat(300)}`],
    ['GET', '/API/usage'],
    ['GET', '/files/nothing.jpg'],
    ['GET', '/files/src_nothing.jpg'],
    ['GET', '/files/../secrets.json'],
    ['GET', '/files/%2e%2e/secrets.json'],
    ['GET', '/docs/nothing.js'],
    ['GET', '/health'],
  ])('%s %s', async (method, path) => {
    const { status, body } = await harness.call(method, path, { key: account.key });
    expect([status, (body as { code: string }).code]).toEqual([404, 'not_found']);
  });

  it.each(['/api/%', '/api/ai/enhance/%zz', '/%c0%af', '/files/%ff'])(
    'or 400 for a malformed address: %s',
    async (path) => {
      const { status } = await harness.call('GET', path, { key: account.key });
      expect([400, 404]).toContain(status);
    },
  );
});

describe('X-Request-Id', () => {
  it('accepts a valid ID from the client', async () => {
    for (const id of ['abc-123', 'req_1.2:3', 'x'.repeat(128)]) {
      const { headers } = await harness.call('GET', '/health/live', { headers: { 'x-request-id': id } });
      expect(headers['x-request-id']).toBe(id);
    }
  });

  it('replaces an invalid ID with a new one', async () => {
    for (const id of ['', 'a b', 'x'.repeat(129), '<script>', '{"a":1}']) {
      const { headers } = await harness.call('GET', '/api/nothing', { headers: { 'x-request-id': id } });
      expect(headers['x-request-id']).not.toBe(id);
    }
  });

  it('is different for each request', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => harness.call('GET', '/health/live')));
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'] as string)).size).toBe(5);
  });
});
