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

describe('POST /api/webhooks/endpoints → 422', () => {
  it('when the Idempotency-Key was used for another endpoint', async () => {
    const create = (url: string) =>
      harness.call('POST', '/api/webhooks/endpoints', {
        key: account.key,
        json: { url },
        headers: { 'idempotency-key': 'reused' },
      });
    expect((await create('https://one.example/')).status).toBe(201);
    const { status, body } = await create('https://two.example/');
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'idempotency_mismatch' });
  });
});
