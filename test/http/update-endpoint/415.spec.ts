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

const path = async () => `/api/webhooks/endpoints/${(await harness.newEndpoint(account)).id}`;

describe('PATCH /api/webhooks/endpoints/:id → 415', () => {
  it('a body that is not JSON', async () => {
    const target = await path();
    const before = await harness.footprint();
    const { status, body } = await harness.call('PATCH', target, {
      key: account.key,
      headers: { 'content-type': 'text/plain' },
      body: 'url=https://receiver.example/',
    });
    expect(status).toBe(415);
    expect(body).toMatchObject({ code: 'unsupported_media_type' });
    expect(await harness.footprint()).toEqual(before);
  });
});
