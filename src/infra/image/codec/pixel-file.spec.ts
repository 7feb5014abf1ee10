import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../kernel/app-error.js';
import { IMAGE_FORMATS } from '../../../kernel/operations.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { diskFaultCode } from '../../storage/storage-fault.js';
import { analysisImage } from './analysis-image.js';
import { decodeImage, decodePixels } from './decode.js';
import { encodeImage, encodeToFile } from './encode.js';
import { libvips, readOwnFile } from './libvips.js';
import { PixelFile } from './pixel-file.js';
import { pipelineOf } from './pixel-pipeline.js';
import { decodeToFile } from '../testing/decode-to-file.js';
import { truncated } from '../testing/hostile-images.js';
import { cmykJpeg, deepPng, drawRaw, grayImage, phoneJpeg, photo } from '../testing/still-images.js';

/** The Linux device that is always full: a real ENOSPC without filling a disk. */
const FULL_DEVICE = '/dev/full';
const LIMITS = { maxPixels: 50_000_000 };
const EFFORT = { avifEffort: 0, webpEffort: 0, pngLevel: 2 };
const noRoom = expect.objectContaining({ code: 'service_unavailable' }) as Error;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixel-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

const all = ({ width, height }: { width: number; height: number }) => ({ x: 0, y: 0, width, height });

async function pixelsOf(file: PixelFile): Promise<RawImage> {
  const { width, height, channels } = file;
  const data = new Uint8Array(width * height * channels);
  await file.read(all(file), data);
  return { data, width, height, channels };
}

async function fileOf(image: RawImage, name = 'pixels.v'): Promise<PixelFile> {
  const file = await PixelFile.create(join(folder, name), image);
  await file.write(all(image), image.data);
  await file.seal();
  return file;
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** A PNG without its density, which the library cannot set for pixels in memory; other bytes unchanged. */
function atPlainDensity(bytes: Buffer): Buffer {
  const at = bytes.indexOf('pHYs', 0, 'latin1') - 4;
  return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 21)]);
}

/** The offset of the value of an entry with one value in a little-endian EXIF block. */
function valueAt(exif: Buffer, { tag, type }: { tag: number; type: number }): number {
  const entry = Buffer.alloc(8);
  entry.writeUInt16LE(tag);
  entry.writeUInt16LE(type, 2);
  entry.writeUInt32LE(1, 4);
  return exif.indexOf(entry) + 8;
}

describe('PixelFile', () => {
  it.each([
    [1, 1, 3],
    [17, 3, 4],
    [131, 67, 3],
    [2, 5000, 4],
    [30_000, 90, 3],
  ] as const)(
    'holds %i×%i×%i in a form that the image library reads unchanged',
    async (width, height, channels) => {
      const image = drawRaw(width, height, channels);
      const file = await fileOf(image);
      const { data, info } = await readOwnFile(file.path).raw().toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject({ width, height, channels });
      expect(same(data, image.data)).toBe(true);
      expect(await readOwnFile(file.path).metadata()).toMatchObject({ space: 'srgb', depth: 'uchar' });
      await file.close();
    },
  );

  it('writes and reads any region', async () => {
    const image = drawRaw(40, 30, 4);
    const file = await PixelFile.create(join(folder, 'pixels.v'), image);
    const parts = [
      { x: 0, y: 0, width: 40, height: 7 },
      { x: 0, y: 7, width: 13, height: 23 },
      { x: 13, y: 7, width: 27, height: 23 },
    ];
    const whole = await fileOf(image, 'whole.v');
    for (const part of parts) {
      const rows = new Uint8Array(part.width * part.height * 4);
      await whole.read(part, rows);
      const expected = await pipelineOf(image)
        .extract({ left: part.x, top: part.y, width: part.width, height: part.height })
        .raw()
        .toBuffer();
      expect(same(rows, expected)).toBe(true);
      await file.write(part, rows);
    }
    expect(same((await pixelsOf(file)).data, image.data)).toBe(true);
    await Promise.all([file.close(), whole.close()]);
  });

  it('reports missing rows', async () => {
    const file = await PixelFile.create(join(folder, 'pixels.v'), { width: 8, height: 8, channels: 3 });
    await file.write({ x: 0, y: 0, width: 8, height: 4 }, new Uint8Array(8 * 4 * 3));
    await expect(pixelsOf(file)).rejects.toThrow('ends before row 8');
    await file.close();
  });

  it('is readable only by its owner, and overwrites nothing', async () => {
    const image = drawRaw(2, 2);
    const file = await fileOf(image);
    expect((await stat(file.path)).mode & 0o077).toBe(0);
    await expect(PixelFile.create(file.path, image)).rejects.toThrow(/EEXIST/);
    await file.close();
  });
});

describe('decodePixels', () => {
  const sources = {
    ...Object.fromEntries(IMAGE_FORMATS.map((format) => [format, () => photo(131, 67, format)])),
    'png with alpha': () => photo(131, 67, 'png', 4),
    'webp with alpha': () => photo(131, 67, 'webp', 4),
    '1×1': () => photo(1, 1, 'png'),
    'an upright phone': () => phoneJpeg(60, 40, 1),
    'a turned phone': () => phoneJpeg(60, 40, 6),
    'a mirrored phone': () => phoneJpeg(60, 40, 5),
    gray: () => grayImage(20, 20, 'png'),
    'gray JPEG': () => grayImage(20, 20, 'jpeg'),
    '16 bits': () => deepPng(32, 24),
    '16 bits with alpha': () => deepPng(32, 24, 4),
    CMYK: () => cmykJpeg(16, 16, [200, 60, 30]),
  };

  it.each(Object.entries(sources))('%s: yields the same pixels as decodeImage', async (_name, make) => {
    const bytes = await make();
    const { data, width, height, channels } = await decodeImage(bytes, LIMITS);
    const file = await decodeToFile(bytes, join(folder, 'source.v'), LIMITS);
    expect(file).toMatchObject({ width, height, channels });
    expect(same((await pixelsOf(file)).data, data)).toBe(true);
    // The file is sealed, so the library can read it, too.
    expect(same(await readOwnFile(file.path).raw().toBuffer(), data)).toBe(true);
    await file.close();
  });

  it('leaves no file behind for a damaged image', async () => {
    const path = join(folder, 'source.v');
    const file = truncated(await photo(300, 200, 'png'));
    await expect(decodePixels(file, path, LIMITS)).rejects.toMatchObject({ code: 'undecodable_image' });
    expect(existsSync(path)).toBe(false);
  });

  it.skipIf(!existsSync(FULL_DEVICE))('reports a full disk as such, not as damage', async () => {
    const path = join(folder, 'source.v');
    await symlink(FULL_DEVICE, path);
    await expect(decodePixels(await photo(300, 200, 'jpeg'), path, LIMITS)).rejects.toSatisfy(
      (error) => !(error instanceof AppError) && diskFaultCode(error) === 'ENOSPC',
    );
    expect(existsSync(path)).toBe(false);
  });
});

describe('encodeToFile', () => {
  it.each(IMAGE_FORMATS)('%s: writes the same bytes as encodeImage', async (format) => {
    for (const channels of [3, 4] as const) {
      const image = drawRaw(131, 67, channels);
      const file = await fileOf(image, `${format}-${channels}.v`);
      const path = join(folder, `result-${channels}.${format}`);
      const encoded = await encodeImage(image, { format, ...EFFORT });
      expect(await encodeToFile(file, path, { format, ...EFFORT })).toBe(encoded.bytes);
      expect(same(atPlainDensity(await readFile(path)), atPlainDensity(encoded.data))).toBe(true);
      await file.close();
    }
  });

  it('claims 72 pixels per inch in a PNG', async () => {
    const file = await fileOf(drawRaw(8, 8));
    const path = join(folder, 'result.png');
    await encodeToFile(file, path, { format: 'png', ...EFFORT });
    expect((await libvips()(path).metadata()).density).toBe(72);
    await file.close();
  });

  it.each(IMAGE_FORMATS)('%s: claims 72 pixels per inch and sRGB in EXIF', async (format) => {
    const file = await fileOf(drawRaw(8, 8));
    const path = join(folder, 'result');
    await encodeToFile(file, path, { format, metadata: { exif: { IFD0: { Artist: 'Ada' } } }, ...EFFORT });
    const exif = (await libvips()(path).metadata()).exif!;
    const start = exif.indexOf('II*\0', 0, 'latin1');
    const resolutionAt = start + exif.readUInt32LE(valueAt(exif, { tag: 0x01_1a, type: 5 }));
    expect(exif.readUInt32LE(resolutionAt) / exif.readUInt32LE(resolutionAt + 4)).toBe(72);
    expect(exif.readUInt16LE(valueAt(exif, { tag: 0xa0_01, type: 3 }))).toBe(1);
    await file.close();
  });

  it.skipIf(!existsSync(FULL_DEVICE)).each(IMAGE_FORMATS)(
    '%s: reports a full disk as such',
    async (format) => {
      const file = await fileOf(drawRaw(300, 200));
      const path = join(folder, 'result');
      await symlink(FULL_DEVICE, path);
      await expect(encodeToFile(file, path, { format, ...EFFORT })).rejects.toEqual(noRoom);
      expect(existsSync(path)).toBe(false);
      await file.close();
    },
  );
});

describe('analysisImage of a file', () => {
  it.each([3, 4] as const)('with %i channels is the same as in memory', async (channels) => {
    for (const [width, height] of [
      [1, 1],
      [17, 3],
      [640, 480],
      [1999, 333],
    ] as const) {
      const image = drawRaw(width, height, channels);
      const file = await fileOf(image, `${width}.v`);
      const [there, here] = [await analysisImage(file, 64), await analysisImage(image, 64)];
      expect(same(there.data, here.data), `${width}×${height}`).toBe(true);
      await file.close();
    }
  });
});

describe('the loader of our own files', () => {
  it('is not available for untrusted bytes, and opens no other format', async () => {
    const file = await fileOf(drawRaw(4, 4));
    await file.close();
    await readOwnFile(file.path).metadata();
    await expect(libvips()(await readFile(file.path)).metadata()).rejects.toThrow(/unsupported image format/);
    const stranger = join(folder, 'stranger.v');
    await writeFile(stranger, 'P6 1 1 255\nabc');
    await expect(readOwnFile(stranger).metadata()).rejects.toThrow(/unsupported image format/);
  });
});
