import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { RawImage } from '../../../kernel/pixels.js';
import { GRAY_COLUMNS, limitedGrayAvif } from '../testing/limited-gray.js';
import { profiledDeepPng } from '../testing/still-images.js';
import { thumbnailOf, thumbnailOfFile } from './thumbnail.js';

function plain(width: number, height: number, pixel: readonly number[]): RawImage {
  const data = new Uint8Array(width * height * pixel.length).map((_, index) => pixel[index % pixel.length]!);
  return { data, width, height, channels: pixel.length as 3 | 4 };
}

describe('thumbnailOf', () => {
  it('fits into the square and keeps the aspect ratio', async () => {
    const { data, info } = await sharp(
      await thumbnailOf(plain(1200, 600, [200, 30, 30]), 320, { format: 'png' }),
    )
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 320, height: 160, channels: 3 });
    expect(Math.abs(data[0]! - 200)).toBeLessThan(6);
  });

  it('is a WebP that is never larger than the image, and keeps transparency', async () => {
    const { format, width, height, hasAlpha } = await sharp(
      await thumbnailOf(plain(20, 10, [0, 0, 255, 0]), 320, { format: 'png' }),
    ).metadata();
    expect({ format, width, height, hasAlpha }).toEqual({
      format: 'webp',
      width: 20,
      height: 10,
      hasAlpha: true,
    });
  });

  it.each([
    ['the color', 'png', '#ff0000', [255, 0, 0]],
    ['the color', 'jpeg', '#ff0000', [255, 0, 0]],
    ['the white', 'jpeg', undefined, [255, 255, 255]],
  ] as const)('has %s of the result behind it: %s, %s', async (_, format, background, color) => {
    const thumbnail = await thumbnailOf(plain(20, 10, [0, 0, 255, 0]), 320, { format, background });
    const { data, info } = await sharp(thumbnail).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(3);
    for (const [c, value] of color.entries()) expect(Math.abs(data[c]! - value)).toBeLessThan(6);
  });
});

describe('thumbnailOfFile', () => {
  const limits = { maxPixels: 1_000_000 };
  const left = { left: 0, top: 0, width: 4, height: 4 };

  /** Red above blue when displayed upright; stored rotated. */
  async function turned(format: 'jpeg' | 'png' | 'webp' | 'avif'): Promise<Buffer> {
    const half = { width: 600, height: 200, channels: 3 } as const;
    const blue = await sharp({ create: { ...half, background: '#0000ff' } })
      .png()
      .toBuffer();
    return sharp({ create: { ...half, height: 400, background: '#ff0000' } })
      .composite([{ input: blue, top: 200, left: 0 }])
      .withMetadata({ orientation: 6 })
      .toFormat(format)
      .toBuffer();
  }

  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('is upright and small, from %s', async (format) => {
    const picture = sharp(await thumbnailOfFile(await turned(format), 320, limits));
    const metadata = await picture.metadata();
    expect(metadata).toMatchObject({ format: 'webp', width: 213, height: 320 });
    expect(metadata.orientation).toBeUndefined();
    // Rotated by a quarter turn, so the bottom is now on the left.
    const [red, , blue] = await picture.extract(left).raw().toBuffer();
    expect(blue! - red!).toBeGreaterThan(200);
  });

  it.each(['srgb', 'p3'] as const)('has the colors of 16 bits with the profile %s', async (profile) => {
    const file = await profiledDeepPng(40, 40, [200, 60, 50], profile);
    const picture = await sharp(await thumbnailOfFile(file, 20, limits))
      .raw()
      .toBuffer();
    for (const [c, value] of [200, 60, 50].entries())
      expect(Math.abs(picture[c]! - value)).toBeLessThanOrEqual(4);
  });

  it.each(['8 bits', '10 bits'] as const)(
    'has the levels of a monochrome AVIF in limited range, %s',
    async (kind) => {
      const { data, info } = await sharp(await thumbnailOfFile(limitedGrayAvif(kind), 64, limits))
        .raw()
        .toBuffer({ resolveWithObject: true });
      for (const [column, level] of GRAY_COLUMNS.entries())
        expect(Math.abs(data[(32 * 64 + 8 + 16 * column) * info.channels]! - level)).toBeLessThanOrEqual(4);
    },
  );

  it('is never larger than the photo', async () => {
    const small = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    expect(await sharp(await thumbnailOfFile(small, 320, limits)).metadata()).toMatchObject({ width: 30 });
  });

  it.each([
    ['no picture at all', Buffer.from('nothing'), limits],
    ['more pixels than are allowed', undefined, { maxPixels: 1_000 }],
  ])('refuses %s', async (_, file, allowed) => {
    await expect(thumbnailOfFile(file ?? (await turned('png')), 320, allowed)).rejects.toMatchObject({
      code: 'undecodable_image',
    });
  });
});
