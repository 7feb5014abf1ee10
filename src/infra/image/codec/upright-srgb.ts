import { readFile } from 'node:fs/promises';
import type { Sharp, SharpOptions } from 'sharp';
import { statedColors } from '../colors/stated-colors.js';
import { libvips } from './libvips.js';

/**
 * The image library over an untrusted file: upright, and in 8-bit sRGB by its embedded profile, or by the primaries
 * that its code points state. For sources of more than 8 bits, the library itself stops at Display P3, and ignores
 * profiles of grayscale. It also ignores the range of a monochrome AVIF.
 * @throws the library's error when the header is corrupt
 */
export async function uprightSrgb(input: Buffer | string, options: SharpOptions): Promise<Sharp> {
  const { isLimitedGray, withProfile } = await statedColors(input);
  const image = libvips()(withProfile === undefined ? input : await profiled(input, withProfile), options);
  const { hasProfile, space } = await image.metadata();
  const pixels = image.autoOrient().toColourspace('srgb');
  if (isLimitedGray) expandRange(pixels, space === 'rgb16');
  if (!hasProfile) return pixels;
  if (space === 'rgb16') return pixels.withIccProfile('srgb', { attach: false });
  return space === 'grey16' ? pixels.pipelineColourspace('b-w') : pixels;
}

/** Costs a copy of the file, which is small compared with its pixels. */
async function profiled(
  input: Buffer | string,
  withProfile: (file: Buffer) => Buffer | undefined,
): Promise<Buffer | string> {
  return withProfile(typeof input === 'string' ? await readFile(input) : input) ?? input;
}

const LIMITED = { black: 16, white: 235 } as const;

/** Stretches the limited range to the full one; leaves alpha, which always has the full range. */
function expandRange(pixels: Sharp, isDeep: boolean): void {
  const factor = 255 / (LIMITED.white - LIMITED.black);
  // The library cuts off decimals, and the lower 8 of 16 bits.
  pixels.linear(factor, (isDeep ? 256 : 1) * (0.5 - LIMITED.black * factor));
}
