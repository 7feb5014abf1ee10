import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import type { Catalog } from '../../../src/models/repository/catalog.js';
import { loadCatalog } from '../../../src/models/repository/load-catalog.js';
import { ModelPresence } from '../../../src/models/serving/model-presence.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';

describe('the announcement of a worker', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());

  it('follows its expected kinds, and never sends the empty list of an older worker', async () => {
    const repository = new ModelWorkersRepository(harness.app.get(Database));
    const presence = new ModelPresence(repository);
    const catalog = await loadCatalog(join(import.meta.dirname, '../../../models'));
    let expected = catalog.kinds();
    const announced = async () => (await repository.all()).find(({ id }) => id === presence.workerId)?.kinds;
    await presence.begin(catalog, 'cpu', { expectedKinds: () => expected });
    expect(await announced()).toEqual(catalog.kinds());
    expected = [];
    // With its next heartbeat.
    await expect.poll(announced, { timeout: 60_000 }).toEqual(['none']);
    await presence.onApplicationShutdown();
  });
});

describe('the scratch disk of a worker', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());

  it('is announced anew when its size changes, and keeps its last size while it cannot be read', async () => {
    const repository = new ModelWorkersRepository(harness.app.get(Database));
    const presence = new ModelPresence(repository);
    const catalog = await loadCatalog(join(import.meta.dirname, '../../../models'));
    let scratchBytes: number | Error = 1e12;
    const traits = { version: '1.0.0', precision: 'float32', supervised: true, settings: [] };
    await presence.begin(catalog, 'cpu', {
      traits,
      changingTraits: async () => {
        if (typeof scratchBytes === 'number') return { scratchBytes };
        throw scratchBytes;
      },
    });
    const announced = async () => {
      await presence.beat();
      return (await repository.all()).find(({ id }) => id === presence.workerId)?.traits;
    };
    await expect.poll(announced).toEqual({ ...traits, scratchBytes: 1e12 });
    scratchBytes = new Error('the disk is gone');
    await announced();
    expect(await announced()).toEqual({ ...traits, scratchBytes: 1e12 });
    scratchBytes = 1e6;
    await expect.poll(announced).toEqual({ ...traits, scratchBytes: 1e6 });
    await presence.onApplicationShutdown();
  });
});

describe('the announcement of a worker with strange models', () => {
  let harness: Harness;
  let models: ModelsDir;
  beforeAll(async () => {
    harness = await startHarness();
    models = await temporaryModels();
    const manifests = [Buffer.alloc(2_000), Buffer.from('\ufeff{\r\n "name": "soft" }', 'utf16le')];
    for (const [index, manifest] of manifests.entries()) {
      const folder = join(models.path, 'upscale', String(index + 1));
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'manifest.json'), manifest);
    }
  });
  afterAll(async () => {
    await models?.remove();
    await harness?.close();
  });

  it('includes their refusals, and is repeated if the database rejects it', async () => {
    const database = harness.app.get(Database);
    const repository = new ModelWorkersRepository(database);
    const presence = new ModelPresence(repository);
    const catalog = await loadCatalog(models.path);
    const announced = async () => (await repository.all()).find(({ id }) => id === presence.workerId);
    await database.query('ALTER TABLE model_workers RENAME TO model_workers_away');
    try {
      await presence.begin(catalog, 'cpu');
    } finally {
      await database.query('ALTER TABLE model_workers_away RENAME TO model_workers');
    }
    expect(await announced()).toBeUndefined();
    await presence.beat();
    expect((await announced())?.refusals).toEqual(catalog.refusals);
    expect(catalog.refusals).toHaveLength(2);
    await presence.onApplicationShutdown();
  });
});

describe('a draining worker', () => {
  let harness: Harness;
  let database: Database;
  let catalog: Catalog;
  let presence: ModelPresence;

  beforeAll(async () => {
    harness = await startHarness();
    database = harness.app.get(Database);
    catalog = await loadCatalog(join(import.meta.dirname, '../../../models'));
  });
  afterAll(() => harness?.close());

  const newWorker = (): ModelPresence => {
    presence = new ModelPresence(new ModelWorkersRepository(database));
    return presence;
  };

  const state = async (): Promise<unknown> => {
    const all = await new ModelWorkersRepository(database).all();
    return all.find(({ id }) => id === presence.workerId)?.state;
  };

  it('announces it again when the database rejected the first attempt', async () => {
    await newWorker().begin(catalog, 'cpu');
    expect(await state()).toBe('serving');
    await database.query('ALTER TABLE model_workers RENAME TO model_workers_away');
    try {
      await presence.drain();
    } finally {
      await database.query('ALTER TABLE model_workers_away RENAME TO model_workers');
    }
    expect(await state()).toBe('serving');
    // With its next heartbeat.
    await expect.poll(state, { timeout: 60_000 }).toBe('draining');
    await presence.onApplicationShutdown();
  });

  it('is not announced as serving when drained before it began', async () => {
    await newWorker().drain();
    await presence.begin(catalog, 'cpu');
    expect(await state()).not.toBe('serving');
    await presence.onApplicationShutdown();
  });

  it('is announced as draining when drained during its announcement', async () => {
    const begun = newWorker().begin(catalog, 'cpu');
    const drained = presence.drain();
    await Promise.all([begun, drained]);
    expect(await state()).toBe('draining');
    await presence.onApplicationShutdown();
  });

  it('is gone as soon as it has ended, whatever is recorded late', async () => {
    const workers = new ModelWorkersRepository(database);
    const listed = async () => (await workers.all()).find(({ id }) => id === presence.workerId);
    await newWorker().begin(catalog, 'cpu');
    await presence.drain();
    const seenAt = (await listed())!.seenAt;
    expect(await listed()).toMatchObject({ state: 'draining', alive: true });
    await presence.onApplicationShutdown();
    expect(await listed()).toMatchObject({ state: 'draining', alive: false, seenAt });
    await workers.drain(presence.workerId);
    await workers.resume(presence.workerId);
    expect(await listed()).toMatchObject({ state: 'draining', alive: false, seenAt });
  });
});
