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

describe('POST /api/webhooks/endpoints/:id/recover → 409', () => {
  it('for a disabled endpoint', async () => {
    const { id } = await harness.newEndpoint(account);
    const path = `/api/webhooks/endpoints/${id}`;
    await harness.call('PATCH', path, { key: account.key, json: { enabled: false } });
    const before = await harness.footprint();
    const { status, body } = await harness.call('POST', `${path}/recover`, {
      key: account.key,
      json: { since: '2026-01-01T00:00:00Z' },
    });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'endpoint_disabled' });
    expect(await harness.footprint()).toEqual(before);
  });
});
