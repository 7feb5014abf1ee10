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

describe('POST /api/webhooks/endpoints/:id/ping → 422', () => {
  it('when the Idempotency-Key was used for another endpoint', async () => {
    const ping = async () => {
      const { id } = await harness.newEndpoint(account);
      return harness.call('POST', `/api/webhooks/endpoints/${id}/ping`, {
        key: account.key,
        headers: { 'idempotency-key': 'reused' },
      });
    };
    expect((await ping()).status).toBe(202);
    const { status, body } = await ping();
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'idempotency_mismatch' });
  });
});
