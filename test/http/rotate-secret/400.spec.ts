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

describe('POST /api/webhooks/endpoints/:id/rotate-secret → 400', () => {
  it.each([-1, 604_801, 1.5, '60', null])('for overlapSeconds %j', async (overlapSeconds) => {
    const { id } = await harness.newEndpoint(account);
    const path = `/api/webhooks/endpoints/${id}/rotate-secret`;
    const { status, body } = await harness.call('POST', path, { key: account.key, json: { overlapSeconds } });
    expect(status).toBe(400);
    expect((body as { errors: object[] }).errors).toMatchObject([{ field: 'overlapSeconds' }]);
  });
});
