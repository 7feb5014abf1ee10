import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

/** Waits until a query waits for a lock in this database. */
async function untilSomeoneWaits(): Promise<void> {
  for (;;) {
    const waiting = await harness.rows(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    if (waiting.length > 0) return;
  }
}

describe('POST /api/ai/enhance → 409', () => {
  it('while a request with the same Idempotency-Key is in progress', async () => {
    const account = await harness.createAccount();
    const { url } = await harness.newSource(account);
    await harness.newJob(account, { sourceUrl: url });
    const create = (key: string) =>
      harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' }, { 'Idempotency-Key': key });
    let first!: ReturnType<typeof create>;
    let other!: ReturnType<typeof create>;
    await harness.app.get(Database).transaction(async (tx) => {
      // Creating a job has to wait for this row.
      await tx.query('SELECT 1 FROM enhancement_usage WHERE account_id = $1 FOR UPDATE', [account.id]);
      first = create('busy');
      await untilSomeoneWaits();
      const { status, body } = await create('busy');
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'idempotency_in_progress' });
      other = create('free');
    });
    expect((await first).status).toBe(201);
    expect((await other).status).toBe(201);
    const again = await create('busy');
    expect(again.text).toBe((await first).text);
  });
});
