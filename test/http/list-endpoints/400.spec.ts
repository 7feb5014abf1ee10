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

describe('GET /api/webhooks/endpoints → 400', () => {
  it.each([
    ['limit=0', 'invalid_request'],
    ['limit=101', 'invalid_request'],
    ['cursor=abc', 'invalid_cursor'],
    ['enabled=true', 'invalid_request'],
  ])('%s', async (query, code) => {
    const { status, body } = await harness.call('GET', `/api/webhooks/endpoints?${query}`, {
      key: account.key,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code });
  });
});
