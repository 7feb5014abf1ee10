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

const path = async () => '/api/webhooks/endpoints';

describe('POST /api/webhooks/endpoints → 413', () => {
  it('a body of more than 128 kB', async () => {
    const target = await path();
    const before = await harness.footprint();
    const { status, body } = await harness.call('POST', target, {
      key: account.key,
      headers: { 'content-type': 'application/json' },
      body: `{"description":"${'x'.repeat(128 * 1024)}"}`,
    });
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'payload_too_large' });
    expect(await harness.footprint()).toEqual(before);
  });
});
