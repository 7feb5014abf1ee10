import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('POST /api/webhooks/callback-secret → 409', () => {
  it('while a request with the same Idempotency-Key is in progress', async () => {
    const rotate = (headers: Record<string, string> = { 'idempotency-key': 'busy' }) =>
      harness.call('POST', '/api/webhooks/callback-secret', { key: account.key, headers });
    await rotate({});
    const { first, second } = await harness.app.get(Database).transaction(async (tx) => {
      // The rotation has to wait for this row while it holds the Idempotency-Key.
      await tx.query('SELECT 1 FROM webhook_endpoints WHERE account_id = $1 FOR UPDATE', [account.id]);
      const waiting = rotate();
      for (;;) {
        const blocked = await harness.rows(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        if (blocked.length > 0) break;
      }
      return { first: [waiting], second: await rotate() };
    });
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ code: 'idempotency_in_progress' });
    expect((await first[0]!).status).toBe(200);
  });
});
