import { fork, spawnSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, afterAll, beforeEach, describe, expect, it } from 'vitest';
import { imageProcessBelow } from '../../support/roles/decoder-fixture.js';
import { descendantsOf, isAlive, type KnownProcess } from '../../support/roles/flow-processes.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { SmallDisk } from '../../support/roles/small-disk.js';
import { type EncodeOptions, encodeToFile } from '../../../src/infra/image/codec/encode.js';
import { PixelFile } from '../../../src/infra/image/codec/pixel-file.js';
import { drawRaw } from '../../../src/infra/image/testing/still-images.js';
import { ImageEncoder, needsOwnProcess } from '../../../src/infra/image/encoder/image-encoder.js';

/** Just large enough, as an AVIF with transparency, for a separate process. */
const [WIDTH, HEIGHT] = [2_500, 2_000];
const QUICK = { format: 'avif', quality: 50, avifEffort: 0, webpEffort: 0, pngLevel: 1 } as const;
/** Takes minutes, so it is still running whenever a test checks. */
const SLOW = { ...QUICK, avifEffort: 9 } as const;

let dir: string;
let scratch: string;
let pixels: PixelFile;
let open: ImageEncoder[];

async function drawn(folder: string): Promise<PixelFile> {
  const file = await PixelFile.create(join(folder, 'result.tif'), {
    width: WIDTH,
    height: HEIGHT,
    channels: 4,
  });
  const { data } = drawRaw(WIDTH, HEIGHT, 4);
  await file.write({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, data);
  await file.seal();
  return file;
}

/** A square image whose transparency differs from pixel to pixel, which takes a WebP the most memory. */
async function noise(folder: string, side: number): Promise<PixelFile> {
  const shape = { width: side, height: side, channels: 4 } as const;
  const file = await PixelFile.create(join(folder, 'noise.tif'), shape);
  const data = randomFillSync(new Uint8Array(side * side * 4));
  await file.write({ x: 0, y: 0, width: side, height: side }, data);
  await file.seal();
  return file;
}

function encoder(workRoot = scratch, dataBytes = 1_300_000_000): ImageEncoder {
  const made = new ImageEncoder({
    processes: 1,
    maxWaiting: 10,
    dataBytes,
    fileBytes: 100_000_000,
    hiddenDirs: [dir, scratch],
    workRoot,
    warn: () => undefined,
  });
  open.push(made);
  return made;
}

const target = (): string => join(dir, 'encoded');
/** Earlier spec files in this worker may have left processes behind. */
const others = descendantsOf(process.pid);
const encoders = (): KnownProcess[] =>
  descendantsOf(process.pid).filter(
    ({ pid, command }) => command.startsWith('image encoder') && others.every((other) => other.pid !== pid),
  );
const ownProcess = (): Promise<KnownProcess> =>
  eventually('an encoder', () => ({ found: encoders()[0], seen: descendantsOf(process.pid) }));

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'encoder-'));
  scratch = join(dir, 'scratch');
  await mkdir(scratch);
  pixels = await drawn(dir);
});
afterAll(async () => {
  await pixels?.remove();
  await rm(dir, { recursive: true });
});
beforeEach(() => {
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
  await rm(target(), { force: true });
});

/** Expects that nothing of the encode is left and that the pixels are intact. */
async function expectNothingLeft(): Promise<void> {
  expect(await readdir(dir)).toEqual(['result.tif', 'scratch']);
  expect(await readdir(scratch)).toEqual([]);
  expect(statSync(pixels.path).size).toBeGreaterThan(WIDTH * HEIGHT * 4);
}

/** Waits until the nth process of a pool has the pixels and is working. */
async function underWay(nth = 1): Promise<KnownProcess> {
  await eventually('pixels in the folder of the encoder', async () => {
    const names = await readdir(scratch, { recursive: true });
    return names.includes(`encoder-${nth}/pixels.tif`) ? { found: true } : { seen: names };
  });
  return ownProcess();
}

const whenGone = (known: KnownProcess): Promise<boolean> =>
  eventually('its end', () => (isAlive(known) ? { seen: known } : { found: true }));

describe('a large encode', () => {
  it('writes the same bytes as in this process, and ends its own process', async () => {
    const options: EncodeOptions = { ...QUICK };
    expect(needsOwnProcess(pixels, options)).toBe(true);
    const bytes = await encoder().encodeToFile(pixels, target(), options);
    const other = join(dir, 'other');
    await encodeToFile(pixels, other, options);
    const expected = await readFile(other);
    await rm(other);
    expect(bytes).toBe(expected.length);
    expect((await readFile(target())).equals(expected)).toBe(true);
    expect(statSync(target()).mode & 0o777).toBe(0o600);
    expect(encoders()).toEqual([]);
    await rm(target());
    await expectNothingLeft();
  });

  it('starts no process when it is small', async () => {
    const one = encoder();
    await one.encodeToFile(pixels, target(), { ...QUICK, format: 'png' });
    expect(one.pool.confinement).toBeUndefined();
  });

  it('is refused before a process starts if a side exceeds the limit of the format', async () => {
    const wide = join(dir, 'wide.tif');
    const file = await PixelFile.create(wide, { width: 16_500, height: 1_000, channels: 4 });
    const one = encoder();
    await expect(one.encodeToFile(file, target(), { ...QUICK, format: 'webp' })).rejects.toMatchObject({
      code: 'too_many_pixels',
    });
    await file.remove();
    expect(one.pool.confinement).toBeUndefined();
  });
});

describe.skipIf(process.platform !== 'linux')('an encoder process', () => {
  it('keeps memory use out of the parent', async () => {
    expect(riseBytes('outside')).toBeLessThan(80e6);
    expect(riseBytes('inside')).toBeGreaterThan(120e6);
  });

  it('has no secrets, no privileges and bounded memory', async () => {
    const stop = new AbortController();
    const asked = encoder().encodeToFile(pixels, target(), SLOW, stop.signal);
    const { pid } = await underWay();
    const told = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'latin1');
    expect(told('environ')).not.toContain('npm_');
    expect(told('status')).toMatch(/^CapEff:\s+0+$/m);
    expect(told('status')).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(told('oom_score_adj').trim()).toBe('1000');
    expect(told('limits')).toMatch(/^Max data size +13\d{8} /m);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('exits at once when its result is no longer wanted, and leaves nothing behind', async () => {
    const stop = new AbortController();
    const reason = new Error('canceled');
    const asked = encoder().encodeToFile(pixels, target(), SLOW, stop.signal);
    const known = await underWay();
    stop.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await whenGone(known);
    await expectNothingLeft();
  });

  it('is replaced when it is killed once', async () => {
    const asked = encoder().encodeToFile(pixels, target(), { ...QUICK, avifEffort: 2 });
    const known = await underWay();
    process.kill(known.pid, 'SIGKILL');
    expect(await asked).toBeGreaterThan(0);
    expect(existsSync(target())).toBe(true);
  });

  it('is a machine fault when it is killed repeatedly', async () => {
    const asked = encoder().encodeToFile(pixels, target(), SLOW);
    const outcome = asked.catch((error: unknown) => error);
    for (let kills = 1; kills <= 2; kills++) {
      const known = await underWay(kills);
      process.kill(known.pid, 'SIGKILL');
      await whenGone(known);
    }
    expect(await outcome).toMatchObject({
      code: 'service_unavailable',
      detail: expect.stringContaining('while encoding the image') as string,
      cause: {
        code: 'ENOMEM',
        message: expect.stringMatching(/was killed \(.+\), most likely because memory ran out$/) as string,
      },
    });
    await expectNothingLeft();
  });

  it('fails its result when it crashes', async () => {
    const asked = encoder().encodeToFile(pixels, target(), SLOW);
    const outcome = asked.catch((error: unknown) => error);
    process.kill((await underWay()).pid, 'SIGSEGV');
    expect(await outcome).toMatchObject({ code: 'processing_failed' });
    await expectNothingLeft();
  });

  it('names the format if the picture takes more memory than it may use', async () => {
    const noisy = await noise(dir, 4_000);
    const asked = encoder(scratch, 600_000_000).encodeToFile(noisy, target(), { ...QUICK, format: 'webp' });
    await expect(asked).rejects.toMatchObject({
      code: 'too_many_pixels',
      detail: expect.stringMatching(
        /4000 × 4000 pixels as webp with transparency.* \(png, or jpeg/,
      ) as string,
    });
    await noisy.remove();
    await expectNothingLeft();
  });

  it('exits with its parent, even if that is killed', async () => {
    const parentPath = '../../support/roles/encoder-parent.mjs';
    const parent = fork(fileURLToPath(new URL(parentPath, import.meta.url)), [dir], { execArgv: [] });
    const child = await imageProcessBelow(parent.pid!, 'encoder');
    const all = descendantsOf(parent.pid!);
    // A stopped process can be ended only by the kernel.
    process.kill(child.pid, 'SIGSTOP');
    parent.kill('SIGKILL');
    await expect.poll(() => all.filter((one) => isAlive(one)), { timeout: 60_000 }).toEqual([]);
    await rm(scratch, { recursive: true });
    await mkdir(scratch);
  });
});

const disk = process.platform === 'linux' ? SmallDisk.mount(32 * 2 ** 20) : undefined;

describe.skipIf(disk === undefined)('a full disk (needs the right to mount)', () => {
  afterAll(() => disk?.remove());

  it('is reported as such, and leaves nothing behind', async () => {
    const source = await drawn(disk!.dir);
    // Noise at the best quality needs more than the free space.
    const one = encoder(disk!.dir);
    const filler = join(disk!.dir, 'filler');
    const freeBytes = statFree(disk!.dir);
    writeFileSync(filler, Buffer.alloc(Math.max(0, freeBytes - 200_000)));
    const asked = one.encodeToFile(source, join(disk!.dir, 'encoded'), { ...QUICK, quality: 100 });
    await expect(asked).rejects.toMatchObject({ code: 'service_unavailable', cause: { code: 'ENOSPC' } });
    await one.close();
    await source.remove();
    expect(await readdir(disk!.dir)).toEqual(['filler']);
  });
});

function statFree(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** How much the resident memory of a new process grows at most while it encodes, itself or in another process. */
function riseBytes(where: 'inside' | 'outside'): number {
  const program = fileURLToPath(new URL('../../support/roles/encoder-memory.mjs', import.meta.url));
  const args = [dir, pixels.path, String(WIDTH), String(HEIGHT), where, JSON.stringify(QUICK)];
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return Number(stdout);
}
