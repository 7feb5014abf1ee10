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

const patch = async (id: string, json?: object) => {
  const answer = await harness.call('PATCH', `/api/webhooks/endpoints/${id}`, {
    key: account.key,
    ...(json === undefined ? {} : { json }),
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Record<string, unknown>;
};

describe('PATCH /api/webhooks/endpoints/:id → 200', () => {
  it('changes only the given fields', async () => {
    const { secret: _secret, ...endpoint } = await harness.newEndpoint(account, {
      description: 'First',
      metadata: { a: '1' },
    });
    const { updatedAt: _before, ...rest } = endpoint as unknown as Record<string, unknown>;
    for (const change of [
      { url: 'https://other.example/' },
      { events: ['ping'] },
      { description: null },
      { metadata: { b: '2' } },
      { metadata: {} },
      { events: ['*'] },
    ]) {
      Object.assign(rest, change);
      expect(await patch(endpoint.id, change)).toMatchObject(rest);
    }
    expect(await patch(endpoint.id, {})).toMatchObject(rest);
    expect(await patch(endpoint.id)).toMatchObject(rest);
  });

  it('disables and enables the endpoint; disabling fails its pending deliveries', async () => {
    const { id } = await harness.newEndpoint(account);
    const delivery = await harness.newDelivery(account, id);
    expect(await patch(id, { enabled: false })).toMatchObject({ enabled: false, disabledReason: 'manual' });
    const { body } = await harness.call('GET', `/api/webhooks/deliveries/${delivery.id}`, {
      key: account.key,
    });
    expect(body).toMatchObject({ status: 'failed', nextAttemptAt: null, attemptCount: 0 });
    expect(await patch(id, { description: 'Still off' })).toMatchObject({ enabled: false });
    expect(await patch(id, { enabled: true })).toMatchObject({ enabled: true, disabledReason: null });
  });
});
