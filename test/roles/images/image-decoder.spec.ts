import { fork } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeImage } from '../../../src/infra/image/codec/decode.js';
import { HeaderReader } from '../../../src/infra/image/decoder/header-reader.js';
import type { ImageDecoderOptions, ImageDecoder } from '../../../src/infra/image/decoder/image-decoder.js';
import { jpegOfScans } from '../../../src/infra/image/testing/progressive-jpeg.js';
import { slowPng } from '../../../src/infra/image/testing/slow-png.js';
import { phoneJpeg, photo } from '../../../src/infra/image/testing/still-images.js';
import { withJpegSize } from '../../../src/infra/image/testing/hostile-images.js';
import { IMAGE_FORMATS } from '../../../src/kernel/operations.js';
import { reservedCodeBytes } from '../../../src/infra/processes/code-range.js';
import { hasBubblewrap } from '../../../src/infra/processes/bubblewrap.js';
import { confinements } from '../../../src/infra/processes/confinement.js';
import { DecoderFixture, decoderBelow } from '../../support/roles/decoder-fixture.js';
import {
  descendantsOf,
  isAlive,
  type KnownProcess,
  openFilesOf,
} from '../../support/roles/flow-processes.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { SmallDisk } from '../../support/roles/small-disk.js';

const SECRET = 'what nobody may see';
const LIMITS = { maxPixels: 50_000_000, expectedPixels: 10_000 };

let fixture: DecoderFixture;
let dataDir: string;

beforeEach(async () => {
  fixture = await DecoderFixture.make(SECRET);
  dataDir = fixture.dataDir;
  for (const name of ['URL_SIGNING_KEY', 'SEALING_KEY', 'DATABASE_URL']) vi.stubEnv(name, SECRET);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await fixture.close();
});

const open = (options: Partial<ImageDecoderOptions> = {}) => fixture.open(options);

const headersOf = (decoder: ImageDecoder) => new HeaderReader(decoder.pool);

const target = (name?: string): string => fixture.target(name);
const processOf = (): Promise<KnownProcess> => fixture.process();

const told = (pid: number, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'latin1');

describe('an isolated decoder', () => {
  it.each(IMAGE_FORMATS)('decodes a %s exactly as this process does', async (format) => {
    const file = await photo(120, 80, format);
    const pixels = await open().decodeToFile(file, target(), LIMITS);
    const read = new Uint8Array(120 * 80 * 3);
    await pixels.read({ x: 0, y: 0, width: 120, height: 80 }, read);
    expect(Buffer.compare(read, (await decodeImage(file, LIMITS)).data)).toBe(0);
    expect(statSync(target()).mode & 0o777).toBe(0o600);
    await pixels.remove();
  });

  it('reads headers, and reuses its process', async () => {
    const decoder = open();
    writeFileSync(target('a'), await phoneJpeg(40, 20, 6));
    writeFileSync(target('b'), await photo(30, 10, 'avif'));
    expect(await headersOf(decoder).read(target('a'), LIMITS)).toMatchObject({
      format: 'jpeg',
      width: 20,
      height: 40,
    });
    const { pid } = await processOf();
    expect(await headersOf(decoder).read(target('b'), LIMITS)).toMatchObject({ format: 'avif', width: 30 });
    expect((await processOf()).pid).toBe(pid);
    await expect(headersOf(decoder).read(target('missing'), LIMITS)).rejects.toMatchObject({
      code: 'ENOENT',
    });
    expect(await headersOf(decoder).read(target('b'), LIMITS)).toMatchObject({ format: 'avif' });
  });

  it('refuses bad files with messages for clients, and leaves nothing behind', async () => {
    const decoder = open();
    const whole = await photo(90, 90, 'png');
    const refusal = (file: Buffer, maxPixels = LIMITS.maxPixels) =>
      decoder.decodeToFile(file, target(), { ...LIMITS, maxPixels }).catch((error: unknown) => error);
    const prefix = "This file isn't a valid image: ";
    expect(await refusal(whole.subarray(0, 500))).toMatchObject({
      code: 'undecodable_image',
      detail: `${prefix}the pixel data is truncated or corrupt.`,
    });
    expect(await refusal(whole, 100)).toMatchObject({ code: 'too_many_pixels' });
    expect(await refusal(jpegOfScans(64, 64, 101))).toMatchObject({
      code: 'undecodable_image',
      detail: `${prefix}the JPEG has more than 100 scans. Save it as a baseline JPEG.`,
    });
    expect(await refusal(Buffer.from('no image at all'))).toMatchObject({ code: 'undecodable_image' });
    expect(await refusal(Buffer.alloc(0))).toMatchObject({ code: 'undecodable_image' });
    expect(await readdir(dataDir, { recursive: true })).toEqual([
      'scratch',
      'secrets.json',
      'scratch/decoder-1',
    ]);
  });

  it('refuses a JPEG whose pixels end early, which libjpeg would fill with gray', async () => {
    const file = jpegOfScans(640, 640, 1, 0.5);
    await expect(open().decodeToFile(file, target(), LIMITS)).rejects.toMatchObject({
      code: 'undecodable_image',
    });
    const stated = withJpegSize(await photo(64, 64, 'jpeg'), 70, 70);
    await expect(open().decodeToFile(stated, target(), LIMITS)).rejects.toMatchObject({
      code: 'undecodable_image',
    });
  });

  it('limits its processes, and refuses requests once its queue is full', async () => {
    const decoder = open({ maxWaiting: 2 });
    writeFileSync(target('a'), await photo(30, 10, 'png'));
    const asked = Array.from({ length: 5 }, () => headersOf(decoder).read(target('a'), LIMITS));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({
          code: 'service_unavailable',
          retryAfterSeconds: 5,
          cause: { code: 'EAGAIN' },
        });
  });
});

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;

describe.skipIf(!isLinux)('the confinement', () => {
  it('leaves no secret, no privilege and only its own pipes, and bounds the memory', async () => {
    await open().pool.warm();
    const { pid } = await processOf();
    const names = told(pid, 'environ')
      .split('\0')
      .map((line) => line.split('=', 1)[0]!);
    const known = /^(PATH|LD_LIBRARY_PATH|LD_PRELOAD|MALLOC_ARENA_MAX|TMPDIR|PWD|OLDPWD|SHLVL|_|)$/;
    expect(names.filter((name) => !known.test(name))).toEqual([]);
    expect(told(pid, 'environ')).not.toContain(SECRET);
    const status = told(pid, 'status');
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^CapPrm:\s+0+$/m);
    if (isRoot) expect(status).toMatch(/^Uid:\s+65534\s+65534\s+65534\s+65534$/m);
    const dataBytes = Number(/^Max data size +(\d+) /m.exec(told(pid, 'limits'))?.[1]) - reservedCodeBytes();
    expect(String(dataBytes)).toMatch(/^13\d{8}$/);
    expect(told(pid, 'limits')).toMatch(/^Max core file size +0 /m);
    expect(told(pid, 'limits')).toMatch(/^Max file size +201\d{6} /m);
    expect(told(pid, 'oom_score_adj').trim()).toBe('1000');
    const ours = /^(socket:|pipe:|anon_inode:|\/dev\/null$|\/dev\/urandom$)/;
    expect(openFilesOf(pid).filter((name) => !ours.test(name))).toEqual([]);
  });

  it('blocks the network, other processes and the data folder where the kernel allows that', async () => {
    const decoder = open();
    await decoder.pool.warm();
    const { pid } = await processOf();
    expect(fixture.warnings).toEqual([]);
    expect(decoder.pool.confinement).toBe(confinements()[0]);
    for (const name of ['net', 'pid', 'mnt', 'ipc'])
      expect(readlinkSync(`/proc/${pid}/ns/${name}`), name).not.toBe(readlinkSync(`/proc/self/ns/${name}`));
    // The process's own view of the folders, through its root.
    expect(await readdir(`/proc/${pid}/root${dataDir}`)).toEqual([hasBubblewrap() ? 'scratch' : 'work']);
  });

  it('falls back to what the machine allows, with a warning', async () => {
    // Without the tools, only limits are left.
    const tools = mkdtempSync(join(tmpdir(), 'no-tools-'));
    vi.stubEnv('PATH', tools);
    const decoder = open();
    writeFileSync(target('a'), await photo(30, 10, 'png'));
    chmodSync(target('a'), 0o600);
    expect(await headersOf(decoder).read(target('a'), LIMITS)).toMatchObject({ width: 30 });
    expect(decoder.pool.confinement).toBe('limits');
    expect(fixture.warnings.join('')).toContain('confinement "limits"');
    await rm(tools, { recursive: true });
  });
});

describe.skipIf(!isLinux)('a decoder that fails', () => {
  it.each(['SIGSEGV', 'SIGABRT'] as const)('on a file (%s) fails that file alone', async (signal) => {
    const decoder = open();
    await decoder.pool.warm();
    const first = await processOf();
    const asked = decoder.decodeToFile(slowPng(), target('slow.tif'), { ...LIMITS, expectedPixels: 49e6 });
    const behind = decoder.decodeToFile(await photo(60, 40, 'png'), target('next.tif'), LIMITS);
    await pixelsBeingWritten();
    process.kill(first.pid, signal);
    await expect(asked).rejects.toMatchObject({
      code: 'undecodable_image',
      detail: "This file isn't a valid image: the decoder failed.",
    });
    const next = await behind;
    expect(next).toMatchObject({ width: 60, height: 40 });
    await next.remove();
    expect((await processOf()).pid).not.toBe(first.pid);
    expect(isAlive(first)).toBe(false);
    expect(await readdir(join(dataDir, 'scratch'))).toEqual(['decoder-2']);
  });

  it('because it is killed is not blamed on the file: a new one decodes it', async () => {
    const decoder = open();
    await decoder.pool.warm();
    const first = await processOf();
    const asked = decoder.decodeToFile(slowPng(), target(), { ...LIMITS, expectedPixels: 49e6 });
    await pixelsBeingWritten();
    process.kill(first.pid, 'SIGKILL');
    const pixels = await asked;
    expect(pixels).toMatchObject({ width: 7_000, height: 7_000, channels: 3 });
    await pixels.remove();
  });

  it('because it is killed repeatedly is a fault of the service', async () => {
    const decoder = open();
    const asked = decoder.decodeToFile(slowPng(), target(), { ...LIMITS, expectedPixels: 49e6 });
    const outcome = asked.catch((error: unknown) => error);
    for (let kills = 0; kills < 2; kills++) {
      const { pid } = await processOf();
      await pixelsBeingWritten();
      process.kill(pid, 'SIGKILL');
      await eventually('its end', () => (existsSync(`/proc/${pid}`) ? { seen: pid } : { found: true }));
    }
    expect(await outcome).toMatchObject({ code: 'service_unavailable', cause: { code: 'ENOMEM' } });
  });

  it('because it takes too long is killed, with a clear message', async () => {
    const decoder = open({ timeoutMs: 20_000, timeoutMsPerMegapixel: 0 });
    await decoder.pool.warm();
    const first = await processOf();
    const quick = open({ timeoutMs: 100, timeoutMsPerMegapixel: 10 });
    const hung = quick.decodeToFile(slowPng(), target(), { ...LIMITS, expectedPixels: 10e6 });
    await expect(hung).rejects.toMatchObject({
      code: 'undecodable_image',
      detail: "This file isn't a valid image: decoding took longer than 0.2 seconds.",
    });
    await eventually('one process', () => {
      const found = fixture.decoders();
      return found.length === 1 && found[0]!.pid === first.pid ? { found } : { seen: found };
    });
    expect(existsSync(target())).toBe(false);
  });

  it('exits with its parent, even if that is killed', async () => {
    const parent = fork(
      fileURLToPath(new URL('../../support/roles/decoder-parent.mjs', import.meta.url)),
      [dataDir],
      {
        execArgv: [],
      },
    );
    const child = await decoderBelow(parent.pid!);
    const all = descendantsOf(parent.pid!);
    // A stopped process can be ended only by the kernel.
    process.kill(child.pid, 'SIGSTOP');
    parent.kill('SIGKILL');
    await expect.poll(() => all.filter((one) => isAlive(one)), { timeout: 10_000 }).toEqual([]);
  });

  /** Waits until the decoder has started to write rows. */
  async function pixelsBeingWritten(): Promise<void> {
    await eventually('rows of pixels', async () => {
      const scratch = join(dataDir, 'scratch');
      const names = await readdir(scratch, { recursive: true });
      const found = names.find((name) => name.endsWith('.v') && statSync(join(scratch, name)).size > 0);
      return found === undefined ? { seen: names } : { found };
    });
  }
});

const disk = isLinux ? SmallDisk.mount(2 * 2 ** 20) : undefined;

describe.skipIf(disk === undefined)('a full disk (needs the right to mount)', () => {
  it('is reported as such, leaves nothing behind, and does not affect later files', async () => {
    const decoder = open({ workRoot: disk!.dir });
    const path = join(disk!.dir, 'source.tif');
    const large = decoder.decodeToFile(await photo(1_500, 1_000, 'jpeg'), path, LIMITS);
    await expect(large).rejects.toMatchObject({ code: 'service_unavailable', cause: { code: 'ENOSPC' } });
    expect(await readdir(disk!.dir, { recursive: true })).toEqual(['decoder-1']);
    const small = await decoder.decodeToFile(await photo(100, 100, 'jpeg'), path, LIMITS);
    await small.remove();
    await decoder.close();
    expect(await readdir(disk!.dir)).toEqual([]);
    disk!.remove();
  });
});
