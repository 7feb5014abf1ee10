import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountErasureRepository } from '../../../src/accounts/account-erasure.repository.js';
import { ObjectErasures } from '../../../src/infra/storage/object-erasures.js';
import { ErasureMetrics } from '../../../src/infra/telemetry/dispatcher/erasure-metrics.js';
import { Metrics } from '../../../src/infra/telemetry/metrics.js';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import { Database } from '../../../src/infra/database/database.js';
import { DiskObjectStore } from '../../../src/infra/storage/disk-object-store.js';
import { newId } from '../../../src/kernel/ids.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';

const SOURCES = 450;
/** Each source and its thumbnail, which most of these never had. */
const KEYS = 2 * SOURCES;

describe('objects of an erased account', () => {
  let created: TestDatabase;
  let dataSource: DataSource;
  let database: Database;
  let dir: string;
  let store: DiskObjectStore;

  beforeEach(async () => {
    created = await createTestDatabase();
    const { databaseUrl } = created;
    dataSource = await createDataSource({ databaseUrl, poolSize: 4, applicationName: 'spec' }).initialize();
    database = new Database(dataSource);
    dir = await mkdtemp(join(tmpdir(), 'ies-erasures-'));
    store = await DiskObjectStore.open(dir);
    await database.query(`INSERT INTO accounts (id, email, plan) VALUES ('acc_1', 'a@example.org', 'free')`);
    for (let index = 0; index < SOURCES; index += 1) {
      const id = newId('source');
      await store.put(`sources/${id}.png`, Buffer.from('pixels'));
      await database.query(
        `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
         VALUES ($1, 'acc_1', $2, 'png', 1, 1, 6, 'ab', now())`,
        [id, `sources/${id}.png`],
      );
    }
    await database.transaction((tx) => new AccountErasureRepository().erase(tx, 'acc_1'));
  });
  afterEach(async () => {
    await dataSource.destroy();
    await created.drop();
    await rm(dir, { recursive: true, force: true });
  });

  async function kept(): Promise<number> {
    let count = 0;
    for await (const _ of store.keysOlderThan(-1_000)) count += 1;
    return count;
  }

  const due = async (): Promise<number> =>
    (await database.query<{ n: number }>('SELECT count(*)::int AS n FROM object_erasures'))[0]!.n;

  it('are remembered after their rows are gone, and deleted in batches of any size', async () => {
    expect(await database.query('SELECT 1 FROM sources')).toEqual([]);
    expect([await due(), await kept()]).toEqual([KEYS, SOURCES]);
    const erasures = new ObjectErasures(database, store);
    expect(await erasures.erase(300)).toBe(300);
    expect(await due()).toBe(KEYS - 300);
    expect(await erasures.erase(1_000)).toBe(KEYS - 300);
    expect([await due(), await kept()]).toEqual([0, 0]);
    expect(await erasures.erase(1_000)).toBe(0);
  });

  /** A store that cannot delete some objects. */
  const storeWithout = (keys: ReadonlySet<string>): DiskObjectStore =>
    Object.assign(Object.create(store) as DiskObjectStore, {
      delete: (key: string) =>
        keys.has(key) ? Promise.reject(new Error('it is a folder')) : store.delete(key),
    });

  it('do not wait for those that cannot be deleted, which are logged and postponed', async () => {
    const oldest = await database.query<{ key: string }>(
      'SELECT object_key AS key FROM object_erasures ORDER BY created_at, object_key LIMIT 12',
    );
    const stuck = new Set(oldest.map(({ key }) => key));
    const warning = vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
    try {
      const erasures = new ObjectErasures(database, storeWithout(stuck));
      expect(await erasures.erase(2 * KEYS)).toBe(KEYS - stuck.size);
      const logged = warning.mock.calls.map(([line]) => line as { key: string; error: string });
      expect(new Set(logged.map(({ key }) => key))).toEqual(stuck);
      const metrics = new Metrics('dispatcher');
      void new ErasureMetrics(metrics, () => erasures.stuck());
      expect(await metrics.text()).toMatch(/^ies_object_erasures_stuck\{role="dispatcher"\} 12$/m);
      expect(logged[0]!.error).toContain('it is a folder');
      await erasures.record(database, ['sources/newer']);
      expect(await erasures.erase(KEYS)).toBe(1);
      expect(warning).toHaveBeenCalledTimes(stuck.size);
    } finally {
      warning.mockRestore();
    }
    expect(await due()).toBe(stuck.size);
    await database.query("UPDATE object_erasures SET created_at = created_at - interval '10 minutes'");
    expect(await new ObjectErasures(database, store).stuck()).toBe(0);
    expect(await new ObjectErasures(database, store).erase(KEYS)).toBe(stuck.size);
  });

  it('do not wait for the time before the clock was set back', async () => {
    await database.query("UPDATE object_erasures SET created_at = now() + interval '1 day'");
    expect(await new ObjectErasures(database, store).erase(KEYS)).toBe(KEYS);
  });

  it('stay due while the store fails, and are deleted once it is back', async () => {
    const refuse = (): Promise<never> => Promise.reject(new Error('the store is away'));
    const failing = Object.assign(Object.create(store) as DiskObjectStore, { put: refuse, delete: refuse });
    await expect(new ObjectErasures(database, failing).erase(1_000)).rejects.toThrow('away');
    expect([await due(), await kept()]).toEqual([KEYS, SOURCES]);
    // A disk that is read-only: only files that do not exist can be deleted.
    const exists = (key: string): Promise<boolean> =>
      store.read(key).then(
        () => true,
        () => false,
      );
    const readOnly = Object.assign(Object.create(store) as DiskObjectStore, {
      put: refuse,
      delete: async (key: string) => ((await exists(key)) ? refuse() : undefined),
    });
    await expect(new ObjectErasures(database, readOnly).erase(2 * KEYS)).rejects.toThrow('away');
    const keeping = Object.assign(Object.create(store) as DiskObjectStore, { delete: refuse });
    const erasures = new ObjectErasures(database, keeping);
    for (let round = 1; round <= 2; round += 1) await expect(erasures.erase(1_000)).rejects.toThrow('away');
    expect([await erasures.stuck(), await kept()]).toEqual([0, SOURCES + 1]);
    await Promise.all([1, 2].map(() => new ObjectErasures(database, store).erase(1_000)));
    expect([await due(), await kept()]).toEqual([0, 1]);
  });
});
