import type { Sharp } from 'sharp';
import type { ImageFormat } from '../../../kernel/operations.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { libvips } from '../codec/libvips.js';

/** Generators of valid test images. Each is drawn by a formula: the same call returns the same bytes. */

/** A smooth color gradient with photo-like noise; with `channels` 4, alpha falls from left to right. */
export function drawRaw(width: number, height: number, channels: 3 | 4 = 3): RawImage {
  const data = new Uint8Array(width * height * channels);
  let seed = 0x2545f491;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += channels) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      const noise = seed >>> 28;
      data[at] = 20 + (200 * x) / width + noise;
      data[at + 1] = 20 + (200 * y) / height + noise;
      data[at + 2] = 220 - (100 * (x + y)) / (width + height) - noise;
      if (channels === 4) data[at + 3] = 255 - (255 * x) / width;
    }
  }
  return { data, width, height, channels };
}

/** A single color. */
export function drawSolid(width: number, height: number, color: readonly number[]): RawImage {
  const channels = color.length === 4 ? 4 : 3;
  const data = new Uint8Array(width * height * channels);
  for (let at = 0; at < data.length; at++) data[at] = color[at % channels]!;
  return { data, width, height, channels };
}

/** The library's pipeline over raw pixels, for specs that need an unusual encoding. */
export function pipelineOf({ data, width, height, channels }: RawImage): Sharp {
  return libvips()(data, { raw: { width, height, channels } });
}

/** A photo-like image in any accepted format. JPEG has no alpha, even if `channels` is 4. */
export async function photo(
  width: number,
  height: number,
  format: ImageFormat,
  channels: 3 | 4 = 3,
): Promise<Buffer> {
  const pipeline = pipelineOf(drawRaw(width, height, channels));
  if (format === 'jpeg') return pipeline.jpeg({ quality: 90 }).toBuffer();
  if (format === 'png') return pipeline.png({ compressionLevel: 2 }).toBuffer();
  return pipeline.toFormat(format, { effort: 0 }).toBuffer();
}

/**
 * A JPEG from a phone: EXIF orientation 1–8, camera, and a location in GPS tags. `width` and `height` are as stored.
 */
export async function phoneJpeg(width: number, height: number, orientation: number): Promise<Buffer> {
  return pipelineOf(drawRaw(width, height))
    .withExif({
      IFD0: { Make: 'Testcam', Copyright: 'Nobody' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100', GPSLongitudeRef: 'W' },
    })
    .withMetadata({ orientation })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** A four-color (print) JPEG of one sRGB color, with a CMYK profile. */
export async function cmykJpeg(width: number, height: number, color: readonly number[]): Promise<Buffer> {
  return pipelineOf(drawSolid(width, height, color))
    .toColourspace('cmyk')
    .withIccProfile('cmyk')
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** A PNG with 16 bits per channel. */
export async function deepPng(width: number, height: number, channels: 3 | 4 = 3): Promise<Buffer> {
  return pipelineOf(drawRaw(width, height, channels))
    .toColourspace('rgb16')
    .png()
    .toBuffer();
}

/** A PNG with 16 bits per channel of one sRGB color, converted to the profile that it has. */
export async function profiledDeepPng(
  width: number,
  height: number,
  color: readonly number[],
  profile: 'srgb' | 'p3',
): Promise<Buffer> {
  return pipelineOf(drawSolid(width, height, color))
    .toColourspace('rgb16')
    .withIccProfile(profile)
    .png()
    .toBuffer();
}

/** One channel only. */
export async function grayImage(width: number, height: number, format: 'jpeg' | 'png'): Promise<Buffer> {
  return pipelineOf(drawRaw(width, height)).toColourspace('b-w').toFormat(format).toBuffer();
}

/** A progressive JPEG: several scans. */
export async function progressiveJpeg(width: number, height: number): Promise<Buffer> {
  return pipelineOf(drawRaw(width, height)).jpeg({ progressive: true }).toBuffer();
}
