import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const url = '/api/webhooks/callback-secret';

it('GET /api/webhooks/callback-secret → 200: shows when the secret was created, but never the secret', async () => {
  const { status, body } = await harness.call('GET', url, { key: account.key });
  expect({ status, body: body as unknown }).toEqual({
    status: 200,
    body: { createdAt: null, previousSecretExpiresAt: null },
  });
  await harness.call('POST', url, { key: account.key, json: {} });
  const { body: after } = await harness.call('GET', url, { key: account.key });
  expect(after).toEqual({ createdAt: expect.any(String) as unknown, previousSecretExpiresAt: null });
});
