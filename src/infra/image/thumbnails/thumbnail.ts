import type { Sharp } from 'sharp';
import type { RawImage } from '../../../kernel/pixels.js';
import { type Background, onBackground } from '../codec/background.js';
import type { PixelFile } from '../codec/pixel-file.js';
import { pipelineOf } from '../codec/pixel-pipeline.js';
import { damaged } from '../codec/refusals.js';
import { uprightSrgb } from '../codec/upright-srgb.js';

/** Good enough for a list, at a few kilobytes each. */
const WEBP = { quality: 70, alphaQuality: 60, effort: 2 } as const;
const TIMEOUT = { seconds: 10 } as const;

/**
 * A WebP thumbnail of an image. Its long side is at most `sidePixels` and never longer than the image's. Transparent
 * where the encoded result is.
 */
export function thumbnailOf(
  image: RawImage | PixelFile,
  sidePixels: number,
  result: Background,
): Promise<Buffer> {
  return shrunk(onBackground(pipelineOf(image), result), sidePixels);
}

/**
 * Like `thumbnailOf`, for an uploaded file; the result is upright. JPEG and WebP are decoded at about the requested
 * size, so most photos need a few megabytes; `decodingBytes` is the maximum for others. Undecodable parts stay gray.
 * @throws AppError `undecodable_image` when nothing can be decoded, or not within 10 seconds
 */
export function thumbnailOfFile(
  file: Buffer,
  sidePixels: number,
  limits: { maxPixels: number },
): Promise<Buffer> {
  const image = uprightSrgb(file, { failOn: 'none', limitInputPixels: limits.maxPixels });
  return image
    .then((pixels) => shrunk(pixels.timeout(TIMEOUT), sidePixels))
    .catch((error: unknown) => {
      throw damaged('no thumbnail could be made', error);
    });
}

function shrunk(image: Sharp, sidePixels: number): Promise<Buffer> {
  return image
    .resize({ width: sidePixels, height: sidePixels, fit: 'inside', withoutEnlargement: true })
    .webp(WEBP)
    .toBuffer();
}
