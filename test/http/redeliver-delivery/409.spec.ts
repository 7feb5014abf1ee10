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

describe('POST /api/webhooks/deliveries/:id/redeliver → 409', () => {
  it('for a delivery to a disabled endpoint', async () => {
    const { id } = await harness.newEndpoint(account);
    const delivery = await harness.newDelivery(account, id);
    await harness.call('PATCH', `/api/webhooks/endpoints/${id}`, {
      key: account.key,
      json: { enabled: false },
    });
    const path = `/api/webhooks/deliveries/${delivery.id}`;
    const { status, body } = await harness.call('POST', `${path}/redeliver`, { key: account.key });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'endpoint_disabled' });
    expect((await harness.call('GET', path, { key: account.key })).body).toMatchObject({ status: 'failed' });
  });
});
