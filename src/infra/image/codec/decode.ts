import { access, rm } from 'node:fs/promises';
import type { OutputInfo, Sharp } from 'sharp';
import type { ImageFormat } from '../../../kernel/operations.js';
import type { PixelShape, RawImage } from '../../../kernel/pixels.js';
import { diskFaultCode, refuseFullDisk } from '../../storage/storage-fault.js';
import { ByteReader } from '../containers/byte-reader.js';
import { readHeader } from '../containers/header.js';
import type { ImageHeader } from '../containers/image-header.js';
import { libvips } from './libvips.js';
import { PixelFile } from './pixel-file.js';
import { damaged } from './refusals.js';
import { walkAvif } from '../containers/walk-avif.js';
import { walkJpeg } from '../containers/walk-jpeg.js';

/** Pixels ready for inference, and what they were. */
export interface DecodedImage extends RawImage {
  readonly format: ImageFormat;
}

/**
 * Decodes an image into 8-bit sRGB: EXIF orientation applied, an embedded ICC profile converted, CMYK,
 * greyscale, palette and 16-bit sources turned into RGB, alpha kept straight (4 channels exactly when the
 * source has alpha). Strict: a file whose pixels end early or are damaged is refused instead of being filled
 * with gray. Takes 3–4 bytes a pixel; the work runs on the library's threads.
 * @param input the bytes, or the path of a file that exists.
 * @throws AppError `undecodable_image`, `unsupported_media_type`, `animated_image`, `too_many_pixels`; the
 * file system's error when a path cannot be read.
 */
export async function decodeImage(
  input: Buffer | string,
  limits: { maxPixels: number },
): Promise<DecodedImage> {
  const header = await headerOf(input, limits);
  const pixels = uprightSrgb(input, limits);
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
 * As `decodeImage`, with the pixels in a new file instead of memory; nothing is left of it when this throws.
 * Rows are written as they are decoded, so an upright baseline JPEG or PNG takes a few megabytes whatever its
 * size; other sources take what their decoder keeps (see `decodingBytes`).
 * @param path of the file, ending in `.v`: its extension tells the library what to write.
 * @throws AppError `service_unavailable` too, when the disk is full.
 */
export async function decodeToFile(
  input: Buffer,
  path: string,
  limits: { maxPixels: number },
): Promise<PixelFile> {
  const shape = await decodePixels(input, path, limits).catch(refuseFullDisk);
  try {
    return await PixelFile.adopt(path, shape);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Decodes to rows in a new file, which `PixelFile.adopt` takes over; nothing is left of it when this throws.
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
  const pixels = uprightSrgb(input, limits);
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
  // A source may have been kept before the walk over its structure knew all that it looks for today.
  if (typeof input === 'string') return header;
  if (header.format === 'jpeg') await walkJpeg(ByteReader.over(input));
  if (header.format === 'avif') await walkAvif(ByteReader.over(input));
  return header;
}

function uprightSrgb(input: Buffer | string, limits: { maxPixels: number }): Sharp {
  return libvips()(input, { failOn: 'error', limitInputPixels: limits.maxPixels })
    .autoOrient()
    .toColourspace('srgb');
}

/**
 * What libjpeg only warns of although pixels are missing or wrong; it fills them with gray. Bytes between two
 * segments, which it warns of too, harm nothing.
 */
const LOST_DATA = /premature end of (?:data segment|JPEG file)|bad Huffman code|bad arithmetic code/i;

/**
 * Listens to the library's warnings, which are those of the whole process: a decode of another file at the
 * same time may be refused for this one's.
 * @returns throws `undecodable_image` when pixels were lost; to be called at the end
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

/** Cannot happen as far as we know; pixels of another shape must never reach a model. */
function assertShape(info: OutputInfo, { width, height, channels }: PixelShape): void {
  if (info.width === width && info.height === height && info.channels === channels) return;
  throw damaged(
    `it decodes to ${info.width}×${info.height}×${info.channels}, which doesn't match its header`,
  );
}
