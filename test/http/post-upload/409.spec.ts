import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

async function untilSomeoneWaits(): Promise<void> {
  for (;;) {
    const waiting = await harness.rows(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    if (waiting.length > 0) return;
  }
}

describe('POST /api/ai/upload → 409', () => {
  it('while an upload with the same Idempotency-Key is in progress', async () => {
    const account = await harness.createAccount();
    const bytes = await photo(32, 32, 'png');
    await harness.newSource(account, bytes);
    const before = await harness.footprint();
    const upload = () => harness.upload(account.key, bytes, { 'Idempotency-Key': 'busy' });
    let first!: ReturnType<typeof upload>;
    await harness.app.get(Database).transaction(async (tx) => {
      // Storing a source has to wait for this row.
      await tx.query('SELECT 1 FROM storage_usage WHERE account_id = $1 FOR UPDATE', [account.id]);
      first = upload();
      await untilSomeoneWaits();
      const { status, body } = await upload();
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'idempotency_in_progress' });
    });
    expect((await first).status).toBe(201);
    const after = await harness.footprint();
    expect(after.sources).toBe(before.sources + 1);
    expect(after.objects).toBe(before.objects + 1);
    expect(after.temporaryFiles).toBe(0);
  });
});
