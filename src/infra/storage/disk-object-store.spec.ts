import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/app-error.js';
import { DiskObjectStore } from './disk-object-store.js';
import { DiskPendingObject } from './disk-pending-object.js';
import { refuseFullDisk } from './storage-fault.js';

/** Linux' device that is always full: the only honest way to a real ENOSPC without filling a disk. */
const FULL_DEVICE = '/dev/full';

describe('DiskObjectStore on its disk', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'disk-store-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('keeps files and folders from other users', async () => {
    const store = await DiskObjectStore.open(join(root, 'objects'));
    await store.put('sources/src_1', Buffer.from('x'));
    const entries = await readdir(join(root, 'objects'), { recursive: true });
    expect(entries.some((entry) => entry.endsWith('src_1'))).toBe(true);
    for (const entry of entries) {
      expect((await stat(join(root, 'objects', entry))).mode & 0o007, entry).toBe(0);
    }
  });

  it('serves what another process of the same folder wrote', async () => {
    await (await DiskObjectStore.open(root)).put('results/job_1', Buffer.from('x'));
    expect((await (await DiskObjectStore.open(root)).read('results/job_1')).toString()).toBe('x');
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

  it('leaves no temporary file when the object cannot be put in its place', async () => {
    const store = await DiskObjectStore.open(root);
    // A file where the folder of the object should be.
    await writeFile(join(root, 'kept', 'sources'), '');
    await expect(store.put('sources/src_1', Buffer.from('x'))).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(await readdir(join(root, 'tmp'))).toEqual([]);
  });

  it('cannot be written to when its folder is gone', async () => {
    const store = await DiskObjectStore.open(join(root, 'objects'));
    await rm(join(root, 'objects'), { recursive: true });
    await expect(store.check()).rejects.toThrow(/ENOENT/);
  });

  it('takes no other fault for a full disk', () => {
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
    expect(() => refuseFullDisk(denied)).toThrow(denied);
    const overQuota = Object.assign(new Error('over quota'), { code: 'EDQUOT' });
    expect(() => refuseFullDisk(overQuota)).toThrow(AppError);
  });
});
