import { access, rm } from 'node:fs/promises';
import type { OutputInfo, Sharp } from 'sharp';
import type { ImageFormat } from '../../kernel/operations.js';
import type { PixelShape, RawImage } from '../../kernel/pixels.js';
import { isFullDisk, refuseFullDisk } from '../storage/storage-fault.js';
import { type ImageHeader, readHeader } from './header.js';
import { libvips } from './libvips.js';
import { PixelFile } from './pixel-file.js';
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
  const header = await headerOf(input, limits);
  const { data, info } = await uprightSrgb(input, limits)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(refuseDamage);
  const shape = shapeOf(header);
  assertShape(info, shape);
  return { ...shape, data, format: header.format };
}

/**
 * As `decodeImage`, with the pixels in a new file instead of memory; nothing is left of it when this throws. Rows are
 * written as they are decoded, so an upright baseline JPEG or PNG takes a few megabytes whatever its size; other
 * sources take what their decoder keeps (see `decodingBytes`).
 * @param path of the file, ending in `.v`: its extension tells the library what to write.
 * @throws AppError `service_unavailable` too, when the disk is full.
 */
export async function decodeToFile(
  input: Buffer,
  path: string,
  limits: { maxPixels: number },
): Promise<PixelFile> {
  const shape = shapeOf(await headerOf(input, limits));
  try {
    assertShape(await uprightSrgb(input, limits).toFile(path).catch(refuseFullDiskOrDamage), shape);
    return await PixelFile.adopt(path, shape);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function headerOf(input: Buffer | string, limits: { maxPixels: number }): Promise<ImageHeader> {
  if (typeof input === 'string') await access(input);
  else if (input.length === 0) throw damaged('the file is empty');
  return readHeader(input, limits);
}

function uprightSrgb(input: Buffer | string, limits: { maxPixels: number }): Sharp {
  return libvips()(input, { failOn: 'error', limitInputPixels: limits.maxPixels })
    .autoOrient()
    .toColourspace('srgb');
}

function shapeOf({ width, height, hasAlpha }: ImageHeader): PixelShape {
  return { width, height, channels: hasAlpha ? 4 : 3 };
}

function refuseDamage(error: unknown): never {
  throw damaged('its pixels are truncated or damaged', error);
}

function refuseFullDiskOrDamage(error: unknown): never {
  if (isFullDisk(error)) refuseFullDisk(error);
  refuseDamage(error);
}

/** Cannot happen as far as we know; pixels of another shape must never reach a model. */
function assertShape(info: OutputInfo, { width, height, channels }: PixelShape): void {
  if (info.width === width && info.height === height && info.channels === channels) return;
  throw damaged(`it decodes to ${info.width}×${info.height}×${info.channels}, not to what its header says`);
}
