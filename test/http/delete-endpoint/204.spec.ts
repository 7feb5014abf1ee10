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

describe('DELETE /api/webhooks/endpoints/:id → 204', () => {
  it('removes the endpoint with its deliveries, and no other endpoint', async () => {
    const [gone, kept] = [await harness.newEndpoint(account), await harness.newEndpoint(account)];
    const [lost, left] = [
      await harness.newDelivery(account, gone.id),
      await harness.newDelivery(account, kept.id),
    ];
    const path = `/api/webhooks/endpoints/${gone.id}`;
    const { status, text } = await harness.call('DELETE', path, { key: account.key });
    expect([status, text]).toEqual([204, '']);
    const read = async (of: string) => (await harness.call('GET', of, { key: account.key })).status;
    expect(await read(path)).toBe(404);
    expect(await read(`/api/webhooks/deliveries/${lost.id}`)).toBe(404);
    expect(await read(`/api/webhooks/endpoints/${kept.id}`)).toBe(200);
    expect(await read(`/api/webhooks/deliveries/${left.id}`)).toBe(200);
    expect((await harness.call('DELETE', path, { key: account.key })).status).toBe(404);
  });
});
