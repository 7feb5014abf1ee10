import { mkdtemp, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { DiskObjectStore } from '../../src/infra/storage/disk-object-store.js';
import type { ObjectStore } from '../../src/infra/storage/object-store.js';
import { missingS3Server, S3_SERVERS, S3Server, type S3ServerName } from '../support/storage/s3-server.js';
import { openS3Store } from '../support/storage/s3-store.js';

/** Creates a fresh store for each test. */
interface StoreMaker {
  make(folder: string): Promise<ObjectStore>;
  close(): Promise<void>;
}

/**
 * What every object store must do. To run the same tests against another implementation, add it to this list.
 */
const IMPLEMENTATIONS: readonly {
  name: string;
  missing?: string | undefined;
  start: () => Promise<StoreMaker>;
}[] = [
  {
    name: 'DiskObjectStore',
    start: async () => ({
      make: (folder) => DiskObjectStore.open(join(folder, 'objects')),
      close: async () => undefined,
    }),
  },
  ...S3_SERVERS.map((name) => ({
    name: `S3ObjectStore on ${name}`,
    missing: missingS3Server(name),
    start: () => s3Maker(name),
  })),
];

async function s3Maker(name: S3ServerName): Promise<StoreMaker> {
  const server = await S3Server.start(name);
  return { make: (folder) => openS3Store(server, { scratchDir: folder }), close: () => server.close() };
}

const keyOf = (): string => `sources/${newId('source')}`;

/** A store sets its own timestamps; this guarantees an age of some milliseconds. */
const aMoment = (): Promise<void> => new Promise((done) => setTimeout(done, 20));

async function keysOlderThan(store: ObjectStore, ageMs: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.keysOlderThan(ageMs)) keys.push(key);
  return keys.toSorted();
}

for (const { name, missing, start } of IMPLEMENTATIONS) {
  describe.skipIf(missing !== undefined)(
    `${name}${missing === undefined ? '' : ` (needs ${missing})`}`,
    () => {
      testContract(name, start);
    },
  );
}

function testContract(name: string, start: () => Promise<StoreMaker>): void {
  let maker: StoreMaker;
  let folder: string;
  let store: ObjectStore;

  beforeAll(async () => {
    maker = await start();
  });
  afterAll(() => maker?.close());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-'));
    store = await maker.make(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('copies an object that is then independent of the original', async () => {
    const [from, to] = [keyOf(), keyOf()];
    await store.put(from, Buffer.from('pixels'));
    await aMoment();
    await store.copy(from, to);
    await store.delete(from);
    expect(await store.read(to)).toEqual(Buffer.from('pixels'));
    await expect(store.copy(from, keyOf())).rejects.toMatchObject({ code: 'gone' });
    await store.put(from, Buffer.from('others'));
    expect(await store.read(to)).toEqual(Buffer.from('pixels'));
    // The orphan sweep must not treat a copy as being as old as its original.
    expect(await keysOlderThan(store, 10_000)).toEqual([]);
  });

  it('returns what was stored', async () => {
    const key = keyOf();
    const data = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    await store.put(key, data);
    expect((await store.read(key)).equals(data)).toBe(true);
    const { stream, sizeBytes } = await store.open(key);
    expect(sizeBytes).toBe(data.length);
    expect((await buffer(stream)).equals(data)).toBe(true);
  });

  it('reads a byte range chosen by the size of the whole object', async () => {
    const key = keyOf();
    const data = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    await store.put(key, data);
    const opened = await store.open(key, (sizeBytes) => ({ start: 100_000, end: sizeBytes - 100_001 }));
    expect(opened).toMatchObject({ sizeBytes: 300_000, range: { start: 100_000, end: 199_999 } });
    expect((await buffer(opened.stream)).equals(data.subarray(100_000, 200_000))).toBe(true);
    const whole = await store.open(key, () => null);
    expect((await buffer(whole.stream)).equals(data)).toBe(true);
    const refused = store.open(key, () => {
      throw new TypeError('on purpose');
    });
    await expect(refused).rejects.toThrow(TypeError);
  });

  it('keeps an empty object', async () => {
    const key = keyOf();
    await store.put(key, new Uint8Array(0));
    expect(await store.read(key)).toHaveLength(0);
    const { stream, sizeBytes } = await store.open(key);
    expect(sizeBytes).toBe(0);
    expect(await buffer(stream)).toHaveLength(0);
  });

  it('replaces an object as a whole', async () => {
    const key = keyOf();
    await store.put(key, Buffer.from('a long first version'));
    await store.put(key, Buffer.from('second'));
    expect((await store.read(key)).toString()).toBe('second');
  });

  it('lets a reader finish the version it opened', async () => {
    const key = keyOf();
    await store.put(key, Buffer.alloc(500_000, 'a'));
    const { stream } = await store.open(key);
    await store.put(key, Buffer.from('b'));
    await store.delete(key);
    expect((await buffer(stream)).equals(Buffer.alloc(500_000, 'a'))).toBe(true);
  });

  // s3rver writes an object in place, which S3 never does.
  it.skipIf(name.endsWith('s3rver'))('keeps one whole version when many write at once', async () => {
    const key = keyOf();
    const versions = Array.from({ length: 8 }, (_, index) => Buffer.alloc(100_000 + index, String(index)));
    await Promise.all(versions.map((version) => store.put(key, version)));
    const kept = await store.read(key);
    expect(versions.some((version) => version.equals(kept))).toBe(true);
    expect(await keysOlderThan(store, -1000)).toEqual([key]);
  });

  it('reports a missing object as `gone`', async () => {
    await expect(store.read(keyOf())).rejects.toMatchObject({ code: 'gone' });
    await expect(store.open(keyOf())).rejects.toMatchObject({ code: 'gone' });
  });

  it('deletes an object, and accepts a second delete', async () => {
    const key = keyOf();
    await store.put(key, Buffer.from('x'));
    await store.delete(key);
    await store.delete(key);
    await expect(store.read(key)).rejects.toMatchObject({ code: 'gone' });
  });

  it.each([
    '../outside/file',
    'sources/../../file',
    'sources//file',
    '/etc/passwd',
    'sources/.temporary',
    '.temporary/file',
    'sources/a\0b',
    'sources\\..\\file',
    'file',
    'sources/ab/file',
    'Sources/file',
    '',
    `sources/${'a'.repeat(300)}`,
  ])('refuses the key %j', async (key) => {
    await expect(store.put(key, Buffer.from('x'))).rejects.toThrow(RangeError);
    await expect(store.read(key)).rejects.toThrow(RangeError);
    await expect(store.open(key)).rejects.toThrow(RangeError);
    await expect(store.delete(key)).rejects.toThrow(RangeError);
    const pending = await store.beginWrite();
    const path = await pending.seal();
    await expect(pending.commit(key)).rejects.toThrow(RangeError);
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await keysOlderThan(store, -1000)).toEqual([]);
  });

  it('lists only the keys of objects older than the given age', async () => {
    expect(await keysOlderThan(store, 0)).toEqual([]);
    const keys = ['results/job_1', 'sources/src_1', 'sources/src_2'];
    for (const key of keys) await store.put(key, Buffer.from(key));
    const pending = await store.beginWrite();
    await aMoment();
    expect(await keysOlderThan(store, 0)).toEqual(keys);
    expect(await keysOlderThan(store, 3_600_000)).toEqual([]);
    await store.delete('sources/src_1');
    expect(await keysOlderThan(store, 0)).toEqual(['results/job_1', 'sources/src_2']);
    await pending.discard();
  });

  it('passes its check when it is writable', async () => {
    await expect(store.check()).resolves.toBeUndefined();
  });

  describe('a pending object', () => {
    it('appears under its key only when it is committed', async () => {
      const key = keyOf();
      const pending = await store.beginWrite();
      await pending.write(Buffer.from('hello '));
      await pending.write(Buffer.from('world'));
      const path = await pending.seal();
      expect((await readFile(path)).toString()).toBe('hello world');
      await expect(store.read(key)).rejects.toMatchObject({ code: 'gone' });
      await pending.commit(key);
      expect((await store.read(key)).toString()).toBe('hello world');
      await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('accepts no bytes once it is sealed, and can be sealed again', async () => {
      const pending = await store.beginWrite();
      await pending.write(Buffer.from('x'));
      expect(await pending.seal()).toBe(await pending.seal());
      await expect(pending.write(Buffer.from('y'))).rejects.toThrow(/no more bytes/);
      await pending.commit(keyOf());
    });

    it('leaves nothing behind when it is discarded, even twice', async () => {
      const pending = await store.beginWrite();
      await pending.write(Buffer.from('x'));
      const path = await pending.seal();
      await pending.discard();
      await pending.discard();
      await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(pending.write(Buffer.from('y'))).rejects.toThrow(/no more bytes/);
      await expect(pending.seal()).rejects.toThrow(/before/);
      await expect(pending.commit(keyOf())).rejects.toThrow(/before/);
    });

    it('survives a discard after its commit', async () => {
      const key = keyOf();
      const pending = await store.beginWrite();
      await pending.write(Buffer.from('kept'));
      await pending.commit(key);
      await pending.discard();
      expect((await store.read(key)).toString()).toBe('kept');
    });

    it('is swept only when its writer is gone', async () => {
      const stale = await store.beginWrite();
      const fresh = await store.beginWrite();
      await stale.write(Buffer.from('left by a killed process'));
      const path = await stale.seal();
      const anHourAgo = new Date(Date.now() - 3_600_000);
      await utimes(path, anHourAgo, anHourAgo);
      await store.sweepTemporary(600_000);
      await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
      const key = keyOf();
      await fresh.write(Buffer.from('still here'));
      await fresh.commit(key);
      expect((await store.read(key)).toString()).toBe('still here');
      await stale.discard();
    });
  });
}
