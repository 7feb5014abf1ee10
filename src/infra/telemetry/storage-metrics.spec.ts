import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/app-error.js';
import type { ErrorCode } from '../../kernel/errors/error-codes.js';
import { DiskObjectStore } from '../storage/disk-object-store.js';
import { ObjectStore } from '../storage/object-store.js';
import { Metrics } from './metrics.js';
import { StorageMetrics } from './storage-metrics.js';

describe('StorageMetrics', () => {
  let folder: string;
  let store: ObjectStore;
  const metrics = new Metrics('test');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ies-store-'));
    store = new StorageMetrics(metrics).watch(await DiskObjectStore.open(folder));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const count = async (operation: string, end: string): Promise<number> => {
    const { values } = await metrics.registry.getSingleMetric('ies_storage_operations_total')!.get();
    const isIt = ({ labels }: (typeof values)[number]): boolean =>
      labels['operation'] === operation && labels['end'] === end;
    return values.find(isIt)?.value ?? 0;
  };

  it('counts successful operations, and does not change the store', async () => {
    const pending = await store.beginWrite();
    await pending.write(Buffer.from('abc'));
    await pending.commit('sources/one');
    await pending.discard();
    expect((await store.read('sources/one')).toString()).toBe('abc');
    expect(store).toBeInstanceOf(ObjectStore);
    expect(await store.freeBytes()).toBeGreaterThan(0);
    expect(await count('beginWrite', 'done')).toBe(1);
    expect(await count('write', 'done')).toBe(1);
    expect(await count('commit', 'done')).toBe(1);
    expect(await count('read', 'done')).toBe(1);
  });

  it('distinguishes a missing object from a failure', async () => {
    await expect(store.read('sources/none')).rejects.toMatchObject({ code: 'gone' });
    await expect(store.read('../secrets')).rejects.toThrow(RangeError);
    expect(await count('read', 'missing')).toBe(1);
    expect(await count('read', 'failed')).toBe(1);
  });

  it('does not blame the store for a range that an object does not have', async () => {
    await store.put('sources/short', Buffer.from('abc'));
    const refuse = (code: ErrorCode): Promise<unknown> =>
      store.open('sources/short', () => {
        throw new AppError(code);
      });
    await expect(refuse('range_not_satisfiable')).rejects.toMatchObject({ code: 'range_not_satisfiable' });
    expect(await count('open', 'done')).toBe(1);
    expect(await count('open', 'failed')).toBe(0);
    await expect(refuse('service_unavailable')).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await count('open', 'failed')).toBe(1);
  });
});
