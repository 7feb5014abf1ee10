import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { RawImage } from '../../kernel/pixels.js';
import { thumbnailOf } from './thumbnail.js';

function plain(width: number, height: number, pixel: readonly number[]): RawImage {
  const data = new Uint8Array(width * height * pixel.length).map((_, index) => pixel[index % pixel.length]!);
  return { data, width, height, channels: pixel.length as 3 | 4 };
}

describe('thumbnailOf', () => {
  it('fits into the square and keeps the shape', async () => {
    const { data, info } = await sharp(await thumbnailOf(plain(1200, 600, [200, 30, 30]), 320))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 320, height: 160, channels: 3 });
    expect(Math.abs(data[0]! - 200)).toBeLessThan(6);
  });

  it('is a WebP that is never larger than the image, transparent where that is', async () => {
    const { format, width, height, hasAlpha } = await sharp(
      await thumbnailOf(plain(20, 10, [0, 0, 255, 0]), 320),
    ).metadata();
    expect({ format, width, height, hasAlpha }).toEqual({
      format: 'webp',
      width: 20,
      height: 10,
      hasAlpha: true,
    });
  });
});
