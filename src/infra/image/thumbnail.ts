import type { RawImage } from '../../kernel/pixels.js';
import type { PixelFile } from './pixel-file.js';
import { pipelineOf } from './pixel-pipeline.js';

/** Good enough for a list, a few kilobytes each. */
const WEBP = { quality: 70, alphaQuality: 60, effort: 2 } as const;

/** A small WebP of an image, its long side at most `sidePixels`; never larger than the image, transparency kept. */
export function thumbnailOf(image: RawImage | PixelFile, sidePixels: number): Promise<Buffer> {
  return pipelineOf(image)
    .resize({ width: sidePixels, height: sidePixels, fit: 'inside', withoutEnlargement: true })
    .webp(WEBP)
    .toBuffer();
}
