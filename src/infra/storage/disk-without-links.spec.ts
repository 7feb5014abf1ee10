import fs, { mkdtemp, readdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskObjectStore } from './disk-object-store.js';

const failure = { code: '' };

/**
 * A spec cannot mount exFAT or SMB, which refuse hard links with these errors. Not with `vi.mock`, because modules are
 * shared between specs.
 */
beforeAll(() => {
  vi.spyOn(fs, 'link').mockImplementation(async () => {
    throw Object.assign(new Error('link'), { code: failure.code });
  });
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe.each(['EPERM', 'ENOTSUP'])('DiskObjectStore on a file system that refuses links with %s', (code) => {
  let root: string;
  let store: DiskObjectStore;

  beforeEach(async () => {
    failure.code = code;
    root = await mkdtemp(join(tmpdir(), 'disk-store-'));
    store = await DiskObjectStore.open(root);
  });
  afterEach(() => rm(root, { recursive: true }));

  it('claims the objects for the first installation', async () => {
    await store.claimFor('first');
    await store.claimFor('second');
    expect(await store.installationId()).toBe('first');
    expect(await readdir(join(root, 'tmp'))).toEqual([]);
  });

  it('copies the bytes of an object', async () => {
    await store.put('results/job_1-1.png', Buffer.from('x'));
    await store.copy('results/job_1-1.png', 'results/job_2-1.png');
    await store.delete('results/job_1-1.png');
    expect((await store.read('results/job_2-1.png')).toString()).toBe('x');
  });
});

describe('DiskObjectStore when a claim fails for another reason', () => {
  it('reports it', async () => {
    failure.code = 'EACCES';
    const root = await mkdtemp(join(tmpdir(), 'disk-store-'));
    try {
      const store = await DiskObjectStore.open(root);
      await expect(store.claimFor('first')).rejects.toMatchObject({ code: 'EACCES' });
      expect(await store.installationId()).toBeUndefined();
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
