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

describe('PATCH /api/webhooks/endpoints/:id → 400', () => {
  it.each([
    [{ url: null }, 'url', 'type'],
    [{ url: 'https://10.0.0.1/' }, 'url', 'format'],
    [{ url: 'https://receiver.example:25/' }, 'url', 'format'],
    [{ events: null }, 'events', 'enum'],
    [{ events: [] }, 'events', 'enum'],
    [{ metadata: null }, 'metadata', 'metadata'],
    [{ enabled: 'yes' }, 'enabled', 'type'],
    [{ enabled: null }, 'enabled', 'type'],
    [{ disabledReason: null }, 'disabledReason', 'unknown'],
    [{ secret: 'whsec_mine' }, 'secret', 'unknown'],
  ])('%j: %s %s', async (json, field, code) => {
    const endpoint = await harness.newEndpoint(account);
    const path = `/api/webhooks/endpoints/${endpoint.id}`;
    const { status, body } = await harness.call('PATCH', path, { key: account.key, json });
    expect(status).toBe(400);
    expect((body as { errors: object[] }).errors).toMatchObject([{ field, code }]);
    const { secret: _secret, ...unchanged } = endpoint;
    expect((await harness.call('GET', path, { key: account.key })).body).toEqual(unchanged);
  });
});
