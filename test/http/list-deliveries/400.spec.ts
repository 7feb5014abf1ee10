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

describe('GET /api/webhooks/deliveries → 400', () => {
  it.each([
    ['limit=1000', 'invalid_request'],
    ['status=done', 'invalid_request'],
    ['eventType=everything', 'invalid_request'],
    ['endpointId=job_1', 'invalid_request'],
    ['endpointId=%00', 'invalid_request'],
    ['cursor=nothing', 'invalid_cursor'],
    ['since=2026-01-01', 'invalid_request'],
  ])('%s', async (query, code) => {
    const { status, body } = await harness.call('GET', `/api/webhooks/deliveries?${query}`, {
      key: account.key,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code });
  });
});
