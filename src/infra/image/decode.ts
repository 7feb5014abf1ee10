import { access } from 'node:fs/promises';
import type { ImageFormat } from '../../kernel/operations.js';
import type { RawImage } from '../../kernel/pixels.js';
import { readHeader } from './header.js';
import { libvips } from './libvips.js';
import { damaged } from './refusals.js';

/** Pixels ready for inference, and what they were. */
export interface DecodedImage extends RawImage {
  readonly format: ImageFormat;
}

/**
 * Decodes an image into 8-bit sRGB: EXIF orientation applied, an embedded ICC profile converted, CMYK, greyscale,
 * palette and 16-bit sources turned into RGB, alpha kept straight (4 channels exactly when the source has alpha).
 * Strict: a file whose pixels end early or are damaged is refused instead of being filled with grey.
 * Takes 3–4 bytes a pixel; the work runs on the library's threads.
 * @param input the bytes, or the path of a file that exists.
 * @throws AppError `undecodable_image`, `unsupported_media_type`, `animated_image`, `too_many_pixels`;
 * the file system's error when a path cannot be read.
 */
export async function decodeImage(
  input: Buffer | string,
  limits: { maxPixels: number },
): Promise<DecodedImage> {
  if (typeof input === 'string') await access(input);
  else if (input.length === 0) throw damaged('the file is empty');
  const { format, width, height, hasAlpha } = await readHeader(input, limits);
  const channels = hasAlpha ? 4 : 3;
  const { data, info } = await libvips()(input, { failOn: 'error', limitInputPixels: limits.maxPixels })
    .autoOrient()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw damaged('its pixels are truncated or damaged', error);
    });
  // Cannot happen as far as we know; pixels of another shape must never reach a model.
  if (info.width !== width || info.height !== height || info.channels !== channels) {
    throw damaged(`it decodes to ${info.width}×${info.height}×${info.channels}, not to what its header says`);
  }
  return { data, width, height, channels, format };
}
