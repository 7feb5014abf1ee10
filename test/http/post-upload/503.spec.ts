import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { CuttableProxy } from '../../support/network/cuttable-proxy.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let proxy: CuttableProxy;
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    databaseUrl: async (real) => {
      proxy = await CuttableProxy.start(real);
      return proxy.urlOf(real);
    },
  });
});
afterAll(async () => {
  await harness.close();
  await proxy.close();
});

async function untilSomeoneWaits(): Promise<void> {
  for (;;) {
    const waiting = await harness.rows(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    if (waiting.length > 0) return;
  }
}

describe('POST /api/ai/upload → 503', () => {
  it('when the database fails midway: no row, no object, and no temporary file remains', async () => {
    const account = await harness.createAccount();
    const bytes = await photo(32, 32, 'png');
    await harness.newSource(account, bytes);
    const before = await harness.footprint();
    let upload!: ReturnType<typeof harness.upload>;
    const locked = harness.app.get(Database).transaction(async (tx) => {
      await tx.query('SELECT 1 FROM storage_usage WHERE account_id = $1 FOR UPDATE', [account.id]);
      upload = harness.upload(account.key, bytes);
      await untilSomeoneWaits();
      await proxy.cut();
      await tx.query('SELECT 1');
    });
    await expect(locked).rejects.toThrow(/./);
    const { status, body } = await upload;
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'service_unavailable' });
    await proxy.mend();
    expect(await harness.footprint()).toEqual(before);
    await harness.newSource(account, bytes);
  });
});
