import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('GET /api/webhooks/deliveries/:id → 200', () => {
  it('is what the list says', async () => {
    const { id } = await harness.newEndpoint(account);
    const delivery = await harness.newDelivery(account, id);
    const { status, body } = await harness.call('GET', `/api/webhooks/deliveries/${delivery.id}`, {
      key: account.key,
    });
    expect(status).toBe(200);
    expect(body).toEqual(delivery);
    const listed = await harness.call('GET', '/api/webhooks/deliveries', { key: account.key });
    expect((listed.body as { data: unknown[] }).data).toEqual([body]);
  });
});
