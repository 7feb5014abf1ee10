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

describe('POST /api/webhooks/endpoints/:id/rotate-secret → 422', () => {
  it('when the Idempotency-Key was used with another overlap', async () => {
    const { id } = await harness.newEndpoint(account);
    const rotate = (overlapSeconds: number) =>
      harness.call('POST', `/api/webhooks/endpoints/${id}/rotate-secret`, {
        key: account.key,
        json: { overlapSeconds },
        headers: { 'idempotency-key': 'reused' },
      });
    expect((await rotate(60)).status).toBe(200);
    const { status, body } = await rotate(61);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'idempotency_mismatch' });
  });
});
