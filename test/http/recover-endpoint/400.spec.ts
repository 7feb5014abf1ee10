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

describe('POST /api/webhooks/endpoints/:id/recover → 400', () => {
  it.each([{}, { since: 'yesterday' }, { since: null }, { since: '2026-02-30T00:00:00Z' }])(
    'for %j',
    async (json) => {
      const { id } = await harness.newEndpoint(account);
      const path = `/api/webhooks/endpoints/${id}/recover`;
      const { status, body } = await harness.call('POST', path, { key: account.key, json });
      expect(status).toBe(400);
      expect((body as { errors: object[] }).errors).toMatchObject([{ field: 'since' }]);
    },
  );
});
