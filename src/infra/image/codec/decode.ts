import { access, rm } from 'node:fs/promises';
import type { OutputInfo, Sharp } from 'sharp';
import type { ImageFormat } from '../../../kernel/operations.js';
import type { PixelShape, RawImage } from '../../../kernel/pixels.js';
import { diskFaultCode } from '../../storage/storage-fault.js';
import { ByteReader } from '../containers/byte-reader.js';
import { readHeader } from '../containers/header.js';
import type { ImageHeader } from '../containers/image-header.js';
import { damaged } from './refusals.js';
import { uprightSrgb } from './upright-srgb.js';
import { walkAvif } from '../containers/walk-avif.js';
import { walkJpeg } from '../containers/walk-jpeg.js';

/** Pixels ready for inference, and properties of their source. */
export interface DecodedImage extends RawImage {
  readonly format: ImageFormat;
}

/**
 * Decodes an image into 8-bit sRGB: applies the EXIF orientation, converts an embedded ICC profile, converts CMYK,
 * grayscale, palette, and 16-bit sources to RGB, and keeps straight alpha (4 channels exactly when the source has
 * alpha). Strict: a file whose pixels are truncated or damaged is refused instead of filled with gray. Needs 3–4 bytes
 * per pixel. The work runs on the library's threads.
 * @param input the bytes, or the path of an existing file
 * @throws AppError `undecodable_image`, `unsupported_media_type`, `hdr_image`, `animated_image`, `too_many_pixels`; the
 * file system's error when a path cannot be read
 */
export async function decodeImage(
  input: Buffer | string,
  limits: { maxPixels: number },
): Promise<DecodedImage> {
  const header = await headerOf(input, limits);
  const pixels = await strictly(input, limits);
  const refuseLostData = watchLostData(pixels);
  const { data, info } = await pixels
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(refuseDamage);
  refuseLostData();
  const shape = shapeOf(header);
  assertShape(info, shape);
  return { ...shape, data, format: header.format };
}

/**
 * Like `decodeImage`, but writes the pixels as rows to a new file, for `PixelFile.adopt`. Leaves no file when it throws.
 * Rows are written as they are decoded, so an upright baseline JPEG or PNG needs a few megabytes regardless of its size;
 * other sources need the memory of their decoder (see `decodingBytes`).
 * @param path of the file; must end in `.v`, which selects the library's output format
 * @returns the shape of the pixels
 * @throws AppError as `decodeImage`; the file system's error when the file cannot be written
 */
export async function decodePixels(
  input: Buffer,
  path: string,
  limits: { maxPixels: number },
): Promise<PixelShape> {
  const header = await headerOf(input, limits);
  const shape = shapeOf(header);
  const pixels = await strictly(input, limits);
  const refuseLostData = watchLostData(pixels);
  try {
    const info = await pixels.toFile(path).catch(refuseDamageOfFile);
    refuseLostData();
    assertShape(info, shape);
    return shape;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function headerOf(input: Buffer | string, limits: { maxPixels: number }): Promise<ImageHeader> {
  if (typeof input === 'string') await access(input);
  else if (input.length === 0) throw damaged('the file is empty');
  const header = await readHeader(input, limits);
  // The source may have been stored by a version whose structure check was less strict.
  if (typeof input === 'string') return header;
  if (header.format === 'jpeg') await walkJpeg(ByteReader.over(input));
  if (header.format === 'avif') await walkAvif(ByteReader.over(input));
  return header;
}

function strictly(input: Buffer | string, { maxPixels }: { maxPixels: number }): Promise<Sharp> {
  return uprightSrgb(input, { failOn: 'error', limitInputPixels: maxPixels }).catch(refuseDamage);
}

/**
 * Warnings of libjpeg about missing or wrong pixels, which it fills with gray. It also warns of bytes between two
 * segments, which are harmless.
 */
const LOST_DATA = /premature end of (?:data segment|JPEG file)|bad Huffman code|bad arithmetic code/i;

/**
 * Collects the library's warnings, which are process-wide: a concurrent decode of another file may be refused because
 * of this one.
 * @returns throws `undecodable_image` when pixels were lost; call it at the end
 */
function watchLostData(pixels: Sharp): () => void {
  let lostData: string | undefined;
  pixels.on('warning', (text: string) => {
    if (LOST_DATA.test(text)) lostData ??= text;
  });
  return () => {
    if (lostData !== undefined) refuseDamage(new Error(lostData));
  };
}

function shapeOf({ width, height, hasAlpha }: ImageHeader): PixelShape {
  return { width, height, channels: hasAlpha ? 4 : 3 };
}

function refuseDamage(error: unknown): never {
  throw damaged('the pixel data is truncated or corrupt', error);
}

function refuseDamageOfFile(error: unknown): never {
  if (diskFaultCode(error) !== undefined) throw error;
  refuseDamage(error);
}

/** Should never fail. Pixels of another shape must never reach a model. */
function assertShape(info: OutputInfo, { width, height, channels }: PixelShape): void {
  if (info.width === width && info.height === height && info.channels === channels) return;
  throw damaged(
    `it decodes to ${info.width}×${info.height}×${info.channels}, which doesn't match its header`,
  );
}
