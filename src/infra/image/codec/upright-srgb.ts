import type { Sharp, SharpOptions } from 'sharp';
import { libvips } from './libvips.js';

/**
 * The image library over an untrusted file: upright, and in 8-bit sRGB by its embedded profile. For sources of more
 * than 8 bits, the library itself stops at Display P3, and ignores profiles of grayscale.
 * @throws the library's error when the header is corrupt
 */
export async function uprightSrgb(input: Buffer | string, options: SharpOptions): Promise<Sharp> {
  const image = libvips()(input, options);
  const { hasProfile, space } = await image.metadata();
  const pixels = image.autoOrient().toColourspace('srgb');
  if (!hasProfile) return pixels;
  if (space === 'rgb16') return pixels.withIccProfile('srgb', { attach: false });
  return space === 'grey16' ? pixels.pipelineColourspace('b-w') : pixels;
}
