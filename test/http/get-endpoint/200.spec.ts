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

describe('GET /api/webhooks/endpoints/:id → 200', () => {
  it('returns the created endpoint without its secret', async () => {
    const { secret: _secret, ...endpoint } = await harness.newEndpoint(account, { events: ['ping'] });
    const { status, body } = await harness.call('GET', `/api/webhooks/endpoints/${endpoint.id}`, {
      key: account.key,
    });
    expect(status).toBe(200);
    expect(body).toEqual(endpoint);
  });
});
