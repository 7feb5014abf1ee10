import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import { Database } from '../../../src/infra/database/database.js';
import { DiskObjectStore } from '../../../src/infra/storage/disk-object-store.js';
import { ObjectErasures } from '../../../src/infra/storage/object-erasures.js';
import { newId } from '../../../src/kernel/ids.js';
import { StorePairing } from '../../../src/dispatcher/store-pairing.js';
import { ReferencedObjects } from '../../../src/dispatcher/referenced-objects.js';
import { RestoreHold } from '../../../src/dispatcher/restore-hold.js';
import { OrphanSweep } from '../../../src/dispatcher/orphan-sweep.js';

Logger.overrideLogger(false);
const HOURS_AGO = new Date(Date.now() - 5 * 3_600_000);
const never = new AbortController().signal;

describe('the sweep of objects without rows', () => {
  let databases: TestDatabase[];
  let dataSources: DataSource[];
  let dir: string;
  let store: DiskObjectStore;

  beforeEach(async () => {
    [databases, dataSources] = [[], []];
    dir = await mkdtemp(join(tmpdir(), 'ies-orphans-'));
    store = await DiskObjectStore.open(dir);
  });
  afterEach(async () => {
    for (const dataSource of dataSources) await dataSource.destroy();
    for (const database of databases) await database.drop();
    await rm(dir, { recursive: true, force: true });
  });

  async function freshDatabase(): Promise<Database> {
    const created = await createTestDatabase();
    databases.push(created);
    const dataSource = createDataSource({
      databaseUrl: created.databaseUrl,
      poolSize: 2,
      applicationName: 'spec',
    });
    dataSources.push(await dataSource.initialize());
    const database = new Database(dataSource);
    await database.query(`INSERT INTO accounts (id, email, plan) VALUES ('acc_1', 'a@example.org', 'free')`);
    return database;
  }

  function sweepOf(database: Database): OrphanSweep {
    const known = new ReferencedObjects(database);
    const pairing = new StorePairing(database, store, known);
    return new OrphanSweep(database, store, known, pairing, new RestoreHold(database));
  }

  /** Stores objects old enough to be swept, with or without rows. */
  async function putSources(count: number, rowsIn?: Database): Promise<string[]> {
    const keys: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const id = newId('source');
      const key = `sources/${id}.png`;
      await store.put(key, Buffer.from('pixels'));
      await rowsIn?.query(
        `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
         VALUES ($1, 'acc_1', $2, 'png', 1, 1, 6, 'ab', now())`,
        [id, key],
      );
      keys.push(key);
    }
    await age();
    return keys;
  }

  async function age(): Promise<void> {
    for (const entry of await readdir(join(dir, 'kept'), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), HOURS_AGO, HOURS_AGO);
  }

  async function kept(): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of store.keysOlderThan(0)) keys.push(key);
    return keys.toSorted();
  }

  it('deletes objects without a row and keeps those with one', async () => {
    const database = await freshDatabase();
    const wanted = await putSources(3, database);
    await putSources(2);
    await sweepOf(database).sweepWhenDue(never);
    expect(await kept()).toEqual(wanted.toSorted());
    expect(await store.installationId()).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('deletes nothing when the database is new', async () => {
    const wanted = await putSources(3, await freshDatabase());
    await sweepOf(await freshDatabase()).sweepWhenDue(never);
    expect(await kept()).toEqual(wanted.toSorted());
    expect(await store.installationId()).toBeUndefined();
  });

  it('deletes nothing when the database belongs to another installation', async () => {
    const [own, other] = [await freshDatabase(), await freshDatabase()];
    await other.query(`INSERT INTO installation (id) VALUES ('another')`);
    const wanted = await putSources(2, own);
    await sweepOf(own).sweepWhenDue(never);
    await putSources(1, other);
    const all = await kept();
    expect(all).toHaveLength(wanted.length + 1);
    await sweepOf(other).sweepWhenDue(never);
    expect(await kept()).toEqual(all);
  });

  it('deletes nothing when most objects have no row', async () => {
    const database = await freshDatabase();
    await putSources(5, database);
    await putSources(25);
    await sweepOf(database).sweepWhenDue(never);
    expect(await kept()).toHaveLength(30);
  });

  it('leaves many objects that are still to be erased to their erasure, and does not refuse because of them', async () => {
    const database = await freshDatabase();
    const wanted = await putSources(3, database);
    const deleted = await putSources(30, database);
    await database.query('UPDATE sources SET deleted_at = now() WHERE object_key = ANY ($1)', [deleted]);
    await database.transaction((tx) => new ObjectErasures(database, store).record(tx, deleted));
    await putSources(1);
    expect(await sweepOf(database).sweepWhenDue(never)).toBeUndefined();
    expect(await kept()).toEqual([...wanted, ...deleted].toSorted());
  });

  it('deletes many objects that a client uploaded directly, which say nothing about the database', async () => {
    const database = await freshDatabase();
    const wanted = await putSources(3, database);
    for (let index = 0; index < 25; index += 1)
      await store.put(`incoming/${newId('source')}`, Buffer.from('pixels'));
    await age();
    await sweepOf(database).sweepWhenDue(never);
    expect(await kept()).toEqual(wanted.toSorted());
  });

  it('deletes objects without a row next to files of other programs', async () => {
    const database = await freshDatabase();
    const wanted = await putSources(3, database);
    await writeFile(join(dir, 'kept', '.DS_Store'), '');
    const [shard] = await readdir(join(dir, 'kept', 'sources'));
    await writeFile(join(dir, 'kept', 'sources', shard!, '.nfs000123'), '');
    await putSources(2);
    await sweepOf(database).sweepWhenDue(never);
    expect(await kept()).toEqual(wanted.toSorted());
  });

  it('does not scan the store again at once after a failure', async () => {
    const database = await freshDatabase();
    await putSources(3, database);
    const sweep = sweepOf(database);
    await database.query('ALTER TABLE restores RENAME TO restores_elsewhere');
    await expect(sweep.sweepWhenDue(never)).rejects.toThrow(/restores/);
    await sweep.sweepWhenDue(never);
  });

  it('keeps objects newer than a restored database until they are released', async () => {
    const database = await freshDatabase();
    const wanted = await putSources(3, database);
    const newer = await putSources(2);
    await database.query(`INSERT INTO restores (snapshot_at) VALUES (now() - interval '10 hours')`);
    await sweepOf(database).sweepWhenDue(never);
    expect(await kept()).toEqual([...wanted, ...newer].toSorted());
    await database.query('UPDATE restores SET released_at = now()');
    await sweepOf(database).sweepWhenDue(never);
    expect(await kept()).toEqual(wanted.toSorted());
  });

  it.each([
    { what: 'an object that was written a moment ago', isRestored: false },
    { what: 'objects newer than a restored database', isRestored: true },
  ])('keeps $what if the clock of its host is a day ahead', async ({ isRestored }) => {
    const database = await freshDatabase();
    await putSources(3, database);
    if (isRestored) {
      await putSources(2);
      await database.query(`INSERT INTO restores (snapshot_at) VALUES (now() - interval '10 hours')`);
    } else await store.put(`sources/${newId('source')}.png`, Buffer.from('pixels'));
    const all = await kept();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 });
    try {
      await sweepOf(database).sweepWhenDue(never);
    } finally {
      vi.useRealTimers();
    }
    expect(await kept()).toEqual(all);
  });

  it('deletes objects older than the backup of a restored database', async () => {
    const database = await freshDatabase();
    const wanted = await putSources(3, database);
    await putSources(2);
    await database.query(`INSERT INTO restores (snapshot_at) VALUES (now() - interval '2 hours')`);
    await sweepOf(database).sweepWhenDue(never);
    expect(await kept()).toEqual(wanted.toSorted());
  });

  it('gives both the same id exactly once, while there is nothing to lose', async () => {
    const database = await freshDatabase();
    const known = new ReferencedObjects(database);
    const pairing = new StorePairing(database, store, known);
    const both = await Promise.all([pairing.isPaired(), pairing.isPaired()]);
    expect(both).toEqual([true, true]);
    const rows = await database.query<{ id: string }>('SELECT id FROM installation');
    expect(rows.map(({ id }) => id)).toEqual([await store.installationId()]);
  });
});
