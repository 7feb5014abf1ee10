import { createHash } from 'node:crypto';
import { Jimp } from 'jimp';
import { describe, expect, it } from 'vitest';
import { IMAGE_FORMATS, type ImageFormat } from '../../../kernel/operations.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { decodeImage } from './decode.js';
import { encodeImage } from './encode.js';
import { libvips } from './libvips.js';
import { drawRaw, drawSolid, phoneJpeg } from '../testing/still-images.js';

const LIMITS = { maxPixels: 50_000_000 };
const EFFORT = { avifEffort: 0, webpEffort: 0, pngLevel: 2 };

const meanDifference = (a: RawImage, b: RawImage): number => {
  expect([a.width, a.height, a.channels]).toEqual([b.width, b.height, b.channels]);
  let sum = 0;
  for (let index = 0; index < a.data.length; index++) sum += Math.abs(a.data[index]! - b.data[index]!);
  return sum / a.data.length;
};

async function chromaOf(quality?: number): Promise<string | undefined> {
  const { data } = await encodeImage(drawRaw(64, 64), { format: 'jpeg', quality, ...EFFORT });
  return (await libvips()(data).metadata()).chromaSubsampling;
}

/** Reads the file's AV1 configuration (AV1 in ISO BMFF, 2.3): color for each pixel, or for each 2 × 2 block. */
function isAvifChromaHalved(avif: Buffer): boolean {
  const flags = avif[avif.indexOf('av1C') + 6]!;
  return (flags & 0b1100) === 0b1100;
}

describe('encodes', () => {
  it.each(IMAGE_FORMATS)('%s: the reported facts match the file', async (format) => {
    const image = drawRaw(131, 67);
    const encoded = await encodeImage(image, { format, ...EFFORT });
    expect(encoded).toMatchObject({ format, width: 131, height: 67, bytes: encoded.data.length });
    expect(encoded.sha256).toBe(createHash('sha256').update(encoded.data).digest('hex'));
    const decoded = await decodeImage(encoded.data, LIMITS);
    expect(decoded.format).toBe(format);
    expect(meanDifference(decoded, image)).toBeLessThan(format === 'png' ? 1e-9 : 6);
  });

  it.each(IMAGE_FORMATS)('%s: with an sRGB profile and no other metadata', async (format) => {
    const source = await decodeImage(await phoneJpeg(40, 20, 6), LIMITS);
    const { data } = await encodeImage(source, { format, ...EFFORT });
    const metadata = await libvips()(data).metadata();
    expect(metadata.hasProfile).toBe(true);
    expect(metadata.icc?.toString('latin1')).toContain('RGB XYZ');
    expect(metadata).not.toHaveProperty('exif');
    expect(metadata).not.toHaveProperty('xmp');
    expect(metadata.orientation ?? 1).toBe(1);
    expect(data.includes('Testcam')).toBe(false);
    expect([metadata.width, metadata.height]).toEqual([20, 40]);
  });

  it.each(['png', 'webp', 'avif'] as const)('%s: with alpha', async (format) => {
    const decoded = await decodeImage(
      (await encodeImage(drawRaw(64, 32, 4), { format, ...EFFORT })).data,
      LIMITS,
    );
    expect(decoded.channels).toBe(4);
    expect(decoded.data[3]).toBeGreaterThan(245);
    expect(decoded.data.at(-1)).toBeLessThan(10);
  });

  it('PNG without loss, including the color of transparent pixels', async () => {
    const image = drawRaw(67, 41, 4);
    const decoded = await decodeImage((await encodeImage(image, { format: 'png', ...EFFORT })).data, LIMITS);
    expect(meanDifference(decoded, image)).toBe(0);
  });

  it('PNG that an independent decoder reads as the same pixels', async () => {
    const image = drawRaw(67, 41, 4);
    const { data } = await encodeImage(image, { format: 'png', ...EFFORT });
    const other = await Jimp.read(data);
    expect(Buffer.from(other.bitmap.data).equals(Buffer.from(image.data))).toBe(true);
  });

  it('an opaque PNG without an alpha channel', async () => {
    const { data } = await encodeImage(drawRaw(8, 8), { format: 'png', ...EFFORT });
    // Color type of the header: 2 = RGB.
    expect(data[25]).toBe(2);
  });

  it('JPEG with alpha onto the given background, or onto white', async () => {
    const clear = drawSolid(16, 16, [0, 0, 0, 0]);
    const colorOn = async (background?: string): Promise<number[]> => {
      const { data } = await encodeImage(clear, { format: 'jpeg', background, ...EFFORT });
      return [...(await Jimp.read(data)).bitmap.data.subarray(0, 3)];
    };
    const [r, g, b] = await colorOn('#3366cc');
    expect(Math.abs(r! - 0x33)).toBeLessThanOrEqual(2);
    expect(Math.abs(g! - 0x66)).toBeLessThanOrEqual(2);
    expect(Math.abs(b! - 0xcc)).toBeLessThanOrEqual(2);
    expect(await colorOn()).toEqual([255, 255, 255]);
  });

  it('any format without transparency when a background is given', async () => {
    const clear = drawSolid(16, 16, [0, 0, 0, 0]);
    const { data } = await encodeImage(clear, { format: 'png', background: '#3366cc', ...EFFORT });
    expect([...(await Jimp.read(data)).bitmap.data.subarray(0, 4)]).toEqual([0x33, 0x66, 0xcc, 255]);
  });

  it('AVIF with full chroma whenever the memory suffices', async () => {
    const halved = async (channels: 3 | 4, more: object): Promise<boolean> => {
      const image = drawRaw(64, 64, channels);
      return isAvifChromaHalved((await encodeImage(image, { format: 'avif', ...EFFORT, ...more })).data);
    };
    expect(await halved(3, {})).toBe(false);
    // 64 × 64 pixels, each 8 bytes for every encoder, plus 32.5, or 47 with transparency.
    expect(await halved(3, { maxEncodingBytes: 40.5 * 64 * 64 })).toBe(false);
    expect(await halved(3, { maxEncodingBytes: 40.5 * 64 * 64 - 1 })).toBe(true);
    expect(await halved(4, { maxEncodingBytes: 40.5 * 64 * 64 })).toBe(true);
    expect(await halved(4, { maxEncodingBytes: 40.5 * 64 * 64, background: '#ffffff' })).toBe(false);
  });

  it('JPEG with full chroma from quality 90, which is the default', async () => {
    expect(await chromaOf()).toBe('4:4:4');
    expect(await chromaOf(90)).toBe('4:4:4');
    expect(await chromaOf(89)).toBe('4:2:0');
  });

  it.each(['jpeg', 'webp', 'avif'] as const)('%s: the quality determines the size', async (format) => {
    const sizeOf = async (quality: number): Promise<number> =>
      (await encodeImage(drawRaw(128, 128), { format, quality, ...EFFORT })).bytes;
    const [low, middle, high] = [await sizeOf(1), await sizeOf(60), await sizeOf(100)];
    expect(low).toBeLessThan(middle);
    expect(middle).toBeLessThan(high);
  });

  it.each([
    ['webp', 16_384],
    ['avif', 16_385],
    ['jpeg', 65_501],
  ] as const)(
    'but refuses a %s that is %i pixels wide, with a clear reason',
    async (format: ImageFormat, width) => {
      const image = drawSolid(width, 1, [0, 0, 0]);
      await expect(encodeImage(image, { format, ...EFFORT })).rejects.toMatchObject({
        code: 'too_many_pixels',
      });
      expect(await encodeImage(image, { format: 'png', ...EFFORT })).toMatchObject({ width, height: 1 });
    },
  );

  it.each([
    ['webp', 16_383],
    ['avif', 16_384],
    ['jpeg', 65_500],
  ] as const)('a %s that is %i pixels wide', async (format: ImageFormat, width) => {
    const image = drawSolid(width, 1, [0, 0, 0]);
    expect(await encodeImage(image, { format, ...EFFORT })).toMatchObject({ width, height: 1 });
  });
});
