import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../kernel/app-error.js';
import { DiskObjectStore } from './disk-object-store.js';
import { DiskPendingObject } from './disk-pending-object.js';
import { refuseFullDisk } from './storage-fault.js';

/** The Linux device that is always full: the only way to a real ENOSPC without filling a disk. */
const FULL_DEVICE = '/dev/full';

describe('DiskObjectStore on its disk', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'disk-store-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('hides files and folders from other users', async () => {
    const store = await DiskObjectStore.open(join(root, 'objects'));
    await store.put('sources/src_1', Buffer.from('x'));
    const entries = await readdir(join(root, 'objects'), { recursive: true });
    expect(entries.some((entry) => entry.endsWith('src_1'))).toBe(true);
    for (const entry of entries) {
      expect((await stat(join(root, 'objects', entry))).mode & 0o007, entry).toBe(0);
    }
  });

  it('serves what another process wrote to the same folder', async () => {
    await (await DiskObjectStore.open(root)).put('results/job_1', Buffer.from('x'));
    expect((await (await DiskObjectStore.open(root)).read('results/job_1')).toString()).toBe('x');
  });

  it('lists only objects, whatever other programs leave in its folders', async () => {
    const store = await DiskObjectStore.open(root);
    await store.put('sources/src_1.jpg', Buffer.from('x'));
    const [kept, kind] = [join(root, 'kept'), join(root, 'kept', 'sources')];
    const [shard] = await readdir(kind);
    for (const folder of [kept, kind, join(kind, shard!)]) {
      for (const name of ['.nfs0001', '.DS_Store', '.src_1.jpg.Ab12', 'Copy of src_1.jpg'])
        await writeFile(join(folder, name), '');
      await mkdir(join(folder, 'notes.txt.d'));
    }
    const keys: string[] = [];
    for await (const key of store.keysOlderThan(-1_000)) keys.push(key);
    expect(keys).toEqual(['sources/src_1.jpg']);
  });

  it.skipIf(!existsSync(FULL_DEVICE))('answers 503 on a full disk and leaves no temporary file', async () => {
    const path = join(root, 'temporary');
    await writeFile(path, '');
    const file = { handle: await open(FULL_DEVICE, 'w'), path };
    const pending = new DiskPendingObject(file, (key) => join(root, key));
    await expect(pending.write(Buffer.alloc(100_000))).rejects.toMatchObject({
      code: 'service_unavailable',
      retryAfterSeconds: 60,
    });
    expect(await readdir(root)).toEqual([]);
    await pending.discard();
  });

  it('leaves no temporary file when the object cannot be moved into place', async () => {
    const store = await DiskObjectStore.open(root);
    // A file in place of the folder of the object.
    await writeFile(join(root, 'kept', 'sources'), '');
    await expect(store.put('sources/src_1', Buffer.from('x'))).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(await readdir(join(root, 'tmp'))).toEqual([]);
  });

  it('is unavailable for new objects when its folder is gone, and works once the folder is back', async () => {
    const store = await DiskObjectStore.open(join(root, 'objects'));
    await rename(join(root, 'objects'), join(root, 'away'));
    for (const work of [store.freeBytes(), store.put('sources/src_1', Buffer.from('x'))])
      await expect(work).rejects.toMatchObject({
        code: 'service_unavailable',
        cause: { name: 'StoreUnavailable' },
      });
    await rename(join(root, 'away'), join(root, 'objects'));
    await store.put('sources/src_1', Buffer.from('x'));
  });

  it('fails its check when its folder is gone', async () => {
    const store = await DiskObjectStore.open(join(root, 'objects'));
    await rm(join(root, 'objects'), { recursive: true });
    await expect(store.check()).rejects.toThrow(/ENOENT/);
  });

  describe('a copy', () => {
    const ORIGINAL = 'results/job_1-1.png';
    let store: DiskObjectStore;
    let original: string;

    beforeEach(async () => {
      store = await DiskObjectStore.open(root);
      await store.put(ORIGINAL, Buffer.from('x'));
      const names = await readdir(join(root, 'kept'), { recursive: true });
      original = join(
        root,
        'kept',
        names.find((name) => name.endsWith('.png'))!,
      );
      const old = new Date(Date.now() - 7_200_000);
      await utimes(original, old, old);
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    const olderThanAnHour = async () => {
      const keys: string[] = [];
      for await (const key of store.keysOlderThan(3_600_000)) keys.push(key);
      return keys;
    };

    it.each([{ mayBeLost: true }, { mayBeLost: false }])(
      'is new, and stays when the original is deleted: %j',
      async (how) => {
        expect(await olderThanAnHour()).toEqual([ORIGINAL]);
        await store.copy(ORIGINAL, 'thumbnails/job_2.webp', how);
        expect(await olderThanAnHour()).toEqual([]);
        await store.delete(ORIGINAL);
        expect((await store.read('thumbnails/job_2.webp')).toString()).toBe('x');
      },
    );

    it('of a copy is as new, and renews the original only after five minutes', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      await store.copy(ORIGINAL, 'results/job_2-1.png');
      const { mtimeMs } = await stat(original);
      vi.setSystemTime(Date.now() + 299_000);
      await store.copy('results/job_2-1.png', 'results/job_3-1.png');
      expect((await stat(original)).mtimeMs).toBe(mtimeMs);
      vi.setSystemTime(Date.now() + 2_000);
      await store.copy('results/job_3-1.png', 'results/job_4-1.png');
      expect((await stat(original)).mtimeMs).toBeCloseTo(mtimeMs + 301_000, -1);
    });

    it('of a deleted object is refused, even right after a copy', async () => {
      await store.copy(ORIGINAL, 'results/job_2-1.png');
      await store.delete(ORIGINAL);
      await expect(store.copy(ORIGINAL, 'results/job_3-1.png')).rejects.toMatchObject({ code: 'gone' });
      await expect(store.copy('results/job_9-1.png', 'results/job_3-1.png')).rejects.toMatchObject({
        code: 'gone',
      });
    });
  });

  it('does not mistake another error for a full disk', () => {
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
    expect(() => refuseFullDisk(denied)).toThrow(denied);
    const overQuota = Object.assign(new Error('over quota'), { code: 'EDQUOT' });
    expect(() => refuseFullDisk(overQuota)).toThrow(AppError);
  });
});
