import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Permits } from '../../kernel/permits/permits.js';
import { DiskObjectStream } from './disk-object-stream.js';
import { DiskObjectStore } from './disk-object-store.js';

const READERS = 40;
const MAX_READS = 4;

describe('DiskObjectStream', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'disk-stream-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('serves few of many readers in one iteration of the event loop', async () => {
    const store = await DiskObjectStore.open(root);
    await store.put('results/job_1', Buffer.alloc(500_000, 1));
    const opened = await Promise.all(Array.from({ length: READERS }, () => store.open('results/job_1')));
    let served = 0;
    let most = 0;
    let isOver = false;
    const endIteration = (): void => {
      most = Math.max(most, served);
      served = 0;
      if (!isOver) setImmediate(endIteration);
    };
    setImmediate(endIteration);
    const sizes = opened.map(async ({ stream }) => {
      stream.on('data', () => {
        served += 1;
        spin(1);
      });
      await finished(stream);
    });
    await Promise.all(sizes);
    isOver = true;
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(MAX_READS);
  });

  it('closes its file when it is destroyed while it waits for a read', async () => {
    const path = join(root, 'object');
    await writeFile(path, Buffer.alloc(200_000, 1));
    const reads = new Permits(1);
    let release = (): void => undefined;
    const held = reads.run(() => new Promise<void>((resolve) => (release = resolve)));
    const handle = await open(path);
    const stream = new DiskObjectStream(handle, { start: 0, end: 199_999 }, reads);
    stream.resume();
    stream.destroy();
    const closed = new Promise((resolve) => stream.once('close', resolve));
    release();
    await Promise.all([held, closed]);
    expect(handle.fd).toBe(-1);
    expect(stream.readableDidRead).toBe(false);
    expect(reads.available).toBe(1);
  });

  it('ends with what is there when the file has become shorter', async () => {
    const path = join(root, 'object');
    await writeFile(path, 'abc');
    const stream = new DiskObjectStream(await open(path), { start: 1, end: 99 }, new Permits(1));
    expect((await buffer(stream)).toString()).toBe('bc');
  });

  it('fails with the error of a read', async () => {
    const folder = await open(root);
    const stream = new DiskObjectStream(folder, { start: 0, end: 99 }, new Permits(1));
    await expect(buffer(stream)).rejects.toMatchObject({ code: 'EISDIR' });
    expect(folder.fd).toBe(-1);
  });
});

/** Takes time on the thread of the event loop, like a write to a connection. */
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
