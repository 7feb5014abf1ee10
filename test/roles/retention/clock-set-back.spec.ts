import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CONFIG } from '../../../src/config/tokens.js';
import { OrphanSweep } from '../../../src/dispatcher/orphan-sweep.js';
import { ReferencedObjects } from '../../../src/dispatcher/referenced-objects.js';
import { RestoreHold } from '../../../src/dispatcher/restore-hold.js';
import { RetentionCleanup } from '../../../src/dispatcher/retention-cleanup.js';
import { StorePairing } from '../../../src/dispatcher/store-pairing.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { SKIPPED } from '../../../src/infra/telemetry/sweep-metrics.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

const HOUR_MS = 3_600_000;

describe('a dispatcher whose clock is set back by a year', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  const setBack = () => vi.setSystemTime(Date.now() - 365 * 24 * HOUR_MS);

  it('deletes expired rows as before', async () => {
    const { app } = harness;
    const cleanup = new RetentionCleanup(app.get(Database), app.get(ObjectStore), app.get(CONFIG));
    await cleanup.keep();
    const { id } = await harness.createAccount();
    await harness.rows(
      `INSERT INTO sessions (token_hash, account_id, expires_at) VALUES ('', $1, now() - interval '1 hour')`,
      [id],
    );
    setBack();
    const left = () => harness.rows('SELECT 1 FROM sessions WHERE account_id = $1', [id]);
    expect(await cleanup.keep(), 'not due yet').toBe(SKIPPED);
    expect(await left()).toHaveLength(1);
    vi.advanceTimersByTime(60_000);
    await cleanup.keep();
    expect(await left()).toEqual([]);
  });

  it('sweeps objects without a row as before', async () => {
    const [database, store] = [harness.app.get(Database), harness.app.get(ObjectStore)];
    const known = new ReferencedObjects(database);
    const pairing = new StorePairing(database, store, known);
    const sweep = new OrphanSweep(database, store, known, pairing, new RestoreHold(database));
    const { signal } = new AbortController();
    await sweep.sweepWhenDue(signal);
    setBack();
    expect(await sweep.sweepWhenDue(signal), 'not due yet').toBe(SKIPPED);
    vi.advanceTimersByTime(6 * HOUR_MS);
    expect(await sweep.sweepWhenDue(signal)).toBeUndefined();
  });
});
