import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PixelFile } from '../codec/pixel-file.js';
import { cutoutToFile } from './cutout.js';
import { markToFile } from './mark-picture.js';

let dir: string;
let files = 0;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ies-mark-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const sources: PixelFile[] = [];
afterEach(() => Promise.all(sources.splice(0).map((source) => source.close())));

const path = (suffix: string): string => join(dir, `${(files += 1)}${suffix}`);

async function plain(width: number, height: number, pixel: readonly number[]): Promise<PixelFile> {
  const file = await PixelFile.create(path('.tif'), { width, height, channels: pixel.length as 3 | 4 });
  sources.push(file);
  const rows = new Uint8Array(width * height * pixel.length).map((_, at) => pixel[at % pixel.length]!);
  await file.write({ x: 0, y: 0, width, height }, rows);
  await file.seal();
  return file;
}

async function pixelsOf(file: PixelFile): Promise<Uint8Array> {
  const { width, height, channels } = file;
  const pixels = new Uint8Array(width * height * channels);
  await file.read({ x: 0, y: 0, width, height }, pixels);
  return pixels;
}

describe('markToFile', () => {
  it.each([
    [1, 1],
    [5, 300],
    [40, 30],
    [640, 480],
    [1_300, 900],
  ])('keeps the shape of a picture of %d × %d', async (width, height) => {
    const marked = await markToFile(await plain(width, height, [90, 90, 90]), path('.v'));
    expect([marked.width, marked.height, marked.channels]).toEqual([width, height, 3]);
    await marked.close();
  });

  it.each([
    ['white', 255],
    ['black', 0],
    ['gray', 128],
  ])('is visible on %s, and leaves most of the picture unchanged', async (_, level) => {
    const marked = await markToFile(await plain(640, 480, [level, level, level]), path('.v'));
    const pixels = await pixelsOf(marked);
    const changed = pixels.filter((value) => Math.abs(value - level) > 30).length / pixels.length;
    expect(changed).toBeGreaterThan(0.02);
    expect(changed).toBeLessThan(0.35);
    await marked.close();
  });

  it('leaves transparent pixels transparent', async () => {
    const marked = await markToFile(await plain(200, 100, [10, 20, 30, 0]), path('.v'));
    expect(marked.channels).toBe(4);
    const pixels = await pixelsOf(marked);
    expect(pixels.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 0)).toBe(true);
    await marked.close();
  });
});

describe('cutoutToFile', () => {
  it('keeps the middle and removes the corners', async () => {
    const cutout = await cutoutToFile(
      await plain(100, 60, [1, 2, 3]),
      path('.tif'),
      new AbortController().signal,
    );
    const pixels = await pixelsOf(cutout);
    expect([...pixels.subarray(0, 4)]).toEqual([1, 2, 3, 0]);
    const middle = (30 * 100 + 50) * 4;
    expect([...pixels.subarray(middle, middle + 4)]).toEqual([1, 2, 3, 255]);
    await cutout.close();
  });
});
