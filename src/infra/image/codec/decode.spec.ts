import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Jimp } from 'jimp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../kernel/app-error.js';
import { IMAGE_FORMATS } from '../../../kernel/operations.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { decodeImage } from './decode.js';
import { decodeToFile } from '../testing/decode-to-file.js';
import { animatedWebp, textFile, truncated } from '../testing/hostile-images.js';
import { grayProfile } from '../testing/icc-profile.js';
import { hugePng } from '../testing/png-chunks.js';
import { profileChunk } from '../testing/slow-png.js';
import {
  cmykJpeg,
  deepPng,
  drawRaw,
  drawSolid,
  grayImage,
  phoneJpeg,
  photo,
  pipelineOf,
  profiledDeepPng,
} from '../testing/still-images.js';

const LIMITS = { maxPixels: 50_000_000 };

/** A folder that is removed after the test. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ies-decode-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const pixelAt = (image: RawImage, x: number, y: number): number[] => [
  ...image.data.subarray((y * image.width + x) * image.channels, (y * image.width + x + 1) * image.channels),
];

const largestDifference = (a: Uint8Array, b: Uint8Array): number => {
  expect(a.length).toBe(b.length);
  let largest = 0;
  for (let index = 0; index < a.length; index++) largest = Math.max(largest, Math.abs(a[index]! - b[index]!));
  return largest;
};

/** IEC 61966-2-1 decoding and encoding of one component, 0–1. Display P3 uses the same curve. */
const toLinear = (v: number): number => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const fromLinear = (v: number): number => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

/** Display P3 → sRGB by the published matrix (CSS Color 4 §10.10), 0–255. */
function p3ToSrgb(color: readonly number[]): number[] {
  const [r, g, b] = color.map((value) => toLinear(value / 255)) as [number, number, number];
  return [
    1.2249401762805598 * r - 0.22494017628055996 * g,
    -0.042056954709688163 * r + 1.0420569547096881 * g,
    -0.019637554590334432 * r - 0.078636045550631889 * g + 1.0982736001409663 * b,
  ].map((value) => 255 * fromLinear(value));
}

describe('decodes', () => {
  it.each([3, 4] as const)('a PNG of %i channels exactly', async (channels) => {
    const drawn = drawRaw(67, 41, channels);
    const decoded = await decodeImage(await photo(67, 41, 'png', channels), LIMITS);
    expect(decoded).toMatchObject({ width: 67, height: 41, channels, format: 'png' });
    expect(largestDifference(decoded.data, drawn.data)).toBe(0);
  });

  it.each(IMAGE_FORMATS)('a 1×1 %s', async (format) => {
    const decoded = await decodeImage(await photo(1, 1, format), LIMITS);
    expect(decoded).toMatchObject({ width: 1, height: 1, channels: 3, format });
    expect(decoded.data).toHaveLength(3);
  });

  it.each(['webp', 'avif'] as const)('the alpha of a %s', async (format) => {
    const decoded = await decodeImage(await photo(64, 32, format, 4), LIMITS);
    expect(decoded.channels).toBe(4);
    expect(pixelAt(decoded, 1, 16)[3]).toBeGreaterThan(240);
    expect(pixelAt(decoded, 62, 16)[3]).toBeLessThan(15);
  });

  it('a JPEG like an independent decoder', async () => {
    const file = await photo(64, 48, 'jpeg');
    const decoded = await decodeImage(file, LIMITS);
    const other = await Jimp.read(file);
    let sum = 0;
    for (let pixel = 0; pixel < 64 * 48; pixel++) {
      for (let c = 0; c < 3; c++)
        sum += Math.abs(decoded.data[pixel * 3 + c]! - other.bitmap.data[pixel * 4 + c]!);
    }
    // Two decoders may differ in chroma upsampling, but not in the image.
    expect(sum / (64 * 48 * 3)).toBeLessThan(2);
  });

  it('a file from its path', async () => {
    const path = join(await temporaryFolder(), 'photo.png');
    await writeFile(path, await photo(20, 10, 'png'));
    expect(await decodeImage(path, LIMITS)).toMatchObject({ width: 20, height: 10 });
    await expect(decodeImage(`${path}-missing`, LIMITS)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('converts every source to 8-bit sRGB', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('EXIF orientation %i', async (orientation) => {
    const stored = await decodeImage(await phoneJpeg(48, 32, 1), LIMITS);
    const decoded = await decodeImage(await phoneJpeg(48, 32, orientation), LIMITS);
    const [w, h] = [48, 32];
    // Where the pixel displayed at (x, y) is stored (EXIF 2.32, tag 274).
    const source: Record<number, (x: number, y: number) => [number, number]> = {
      1: (x, y) => [x, y],
      2: (x, y) => [w - 1 - x, y],
      3: (x, y) => [w - 1 - x, h - 1 - y],
      4: (x, y) => [x, h - 1 - y],
      5: (x, y) => [y, x],
      6: (x, y) => [y, h - 1 - x],
      7: (x, y) => [w - 1 - y, h - 1 - x],
      8: (x, y) => [w - 1 - y, x],
    };
    expect([decoded.width, decoded.height]).toEqual(orientation < 5 ? [w, h] : [h, w]);
    for (const [x, y] of [
      [0, 0],
      [decoded.width - 1, 3],
      [7, decoded.height - 1],
      [13, 21],
    ] as const) {
      expect(pixelAt(decoded, x, y)).toEqual(pixelAt(stored, ...source[orientation]!(x, y)));
    }
  });

  it.each([[[190, 90, 70]], [[90, 150, 100]], [[80, 90, 200]], [[128, 128, 128]]])(
    'Display P3 %j by its profile',
    async (p3) => {
      // The stored values are chosen here: find the sRGB color that the library converts to exactly these.
      const file = await pipelineOf(drawSolid(16, 16, p3ToSrgb(p3)))
        .withIccProfile('p3')
        .png()
        .toBuffer();
      const stored = (await Jimp.read(file)).bitmap.data;
      for (let c = 0; c < 3; c++) expect(Math.abs(stored[c]! - p3[c]!)).toBeLessThanOrEqual(2);
      const decoded = pixelAt(await decodeImage(file, LIMITS), 8, 8);
      const expected = p3ToSrgb([stored[0]!, stored[1]!, stored[2]!]);
      for (let c = 0; c < 3; c++) expect(Math.abs(decoded[c]! - expected[c]!)).toBeLessThanOrEqual(2);
    },
  );

  it('CMYK', async () => {
    const decoded = await decodeImage(await cmykJpeg(16, 16, [200, 60, 30]), LIMITS);
    expect(decoded.channels).toBe(3);
    // A print profile cannot represent the color exactly; inverted ink would differ by more than a hundred.
    for (const [c, value] of [200, 60, 30].entries()) {
      expect(Math.abs(pixelAt(decoded, 8, 8)[c]! - value)).toBeLessThan(16);
    }
  });

  it.each([3, 4] as const)('16 bits per channel, %i channels', async (channels) => {
    const decoded = await decodeImage(await deepPng(32, 24, channels), LIMITS);
    expect(decoded.channels).toBe(channels);
    expect(largestDifference(decoded.data, drawRaw(32, 24, channels).data)).toBeLessThanOrEqual(1);
  });

  it.each([
    ['srgb', [255, 0, 0]],
    ['srgb', [200, 60, 50]],
    ['srgb', [200, 60, 50, 99]],
    ['p3', [200, 60, 50]],
    ['p3', [30, 200, 60, 128]],
  ] as const)('16 bits per channel with the profile %s, %j', async (profile, color) => {
    const file = await profiledDeepPng(16, 8, color, profile);
    const folder = await temporaryFolder();
    const decoded = await decodeImage(file, LIMITS);
    expect(largestDifference(decoded.data, drawSolid(16, 8, color).data)).toBeLessThanOrEqual(2);
    const written = await decodeToFile(file, join(folder, 'pixels.v'), LIMITS);
    const rows = new Uint8Array(decoded.data.length);
    await written.read({ x: 0, y: 0, width: 16, height: 8 }, rows);
    expect(largestDifference(rows, decoded.data)).toBe(0);
    await written.close();
  });

  it.each(['b-w', 'grey16'])('grayscale with a profile, %s', async (space) => {
    const gray = await pipelineOf(drawSolid(8, 8, [100, 100, 100]))
      .toColourspace(space)
      .png()
      .toBuffer();
    // After the header: a length, `IHDR`, 13 bytes and a checksum.
    const [head, rest] = [gray.subarray(0, 33), gray.subarray(33)];
    const file = Buffer.concat([head, profileChunk(grayProfile(1.8)), rest]);
    const expected = 255 * fromLinear((100 / 255) ** 1.8);
    expect(Math.abs(pixelAt(await decodeImage(file, LIMITS), 4, 4)[0]! - expected)).toBeLessThanOrEqual(2);
  });

  it.each(['jpeg', 'png'] as const)('a grayscale %s', async (format) => {
    const decoded = await decodeImage(await grayImage(32, 24, format), LIMITS);
    expect(decoded.channels).toBe(3);
    const [r, g, b] = pixelAt(decoded, 20, 10);
    expect([g, b]).toEqual([r, r]);
  });

  it('a palette with a transparent color', async () => {
    const raw = drawSolid(16, 16, [10, 200, 30, 255]);
    raw.data.set([0, 0, 0, 0], 0);
    const file = await pipelineOf(raw).png({ palette: true }).toBuffer();
    const decoded = await decodeImage(file, LIMITS);
    expect(decoded.channels).toBe(4);
    expect(pixelAt(decoded, 0, 0)[3]).toBe(0);
    expect(pixelAt(decoded, 8, 8)).toEqual([10, 200, 30, 255]);
  });

  it('a fully transparent color, which it keeps (straight alpha)', async () => {
    const file = await pipelineOf(drawSolid(8, 8, [10, 200, 30, 0]))
      .png()
      .toBuffer();
    expect(pixelAt(await decodeImage(file, LIMITS), 4, 4)).toEqual([10, 200, 30, 0]);
  });
});

describe('refuses', () => {
  it.each(IMAGE_FORMATS)('a truncated %s', async (format) => {
    const file = truncated(await photo(300, 200, format));
    await expect(decodeImage(file, LIMITS)).rejects.toMatchObject({ code: 'undecodable_image' });
  });

  it('text, an empty file, an animation, and too many pixels, each with its code', async () => {
    await expect(decodeImage(textFile(), LIMITS)).rejects.toMatchObject({ code: 'undecodable_image' });
    await expect(decodeImage(Buffer.alloc(0), LIMITS)).rejects.toMatchObject({ code: 'undecodable_image' });
    await expect(decodeImage(await animatedWebp(), LIMITS)).rejects.toMatchObject({ code: 'animated_image' });
    await expect(decodeImage(hugePng(), LIMITS)).rejects.toMatchObject({ code: 'too_many_pixels' });
    await expect(decodeImage(hugePng(5000, 5000), LIMITS)).rejects.toMatchObject({
      code: 'undecodable_image',
    });
  });

  it.each(IMAGE_FORMATS)(
    'or decodes a %s with any damaged byte, and never fails in another way',
    async (format) => {
      const file = await photo(24, 16, format);
      let refused = 0;
      for (let round = 0; round < 120; round++) {
        const copy = Buffer.from(file);
        const at = Math.imul(round + 1, 2654435761) >>> 0;
        copy[at % file.length] = copy[at % file.length]! ^ ((at >>> 24) | 1);
        const outcome = await decodeImage(copy, LIMITS).catch((error: unknown) => error);
        if (outcome instanceof AppError) refused += 1;
        else expect(outcome).toMatchObject({ channels: expect.any(Number) as number });
      }
      expect(refused).toBeGreaterThan(0);
    },
  );

  it("without showing the library's message to the client", async () => {
    const error = await decodeImage(truncated(await photo(300, 200, 'png')), LIMITS).catch(
      (caught: unknown) => caught,
    );
    expect((error as AppError).detail).toBe(
      "This file isn't a valid image: the pixel data is truncated or corrupt.",
    );
    expect((error as AppError).message).toContain('libpng');
  });
});
