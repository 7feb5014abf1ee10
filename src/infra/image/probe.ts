import type { ImageFormat } from '../../kernel/operations.js';
import { ByteReader } from './byte-reader.js';
import { type ImageHeader, readHeader } from './header.js';
import { animated, assertDecodable, assertPixels, damaged } from './refusals.js';
import { SNIFF_BYTES, sniffFormat } from './sniff.js';
import type { ImageStructure } from './structure.js';
import { walkAvif } from './walk-avif.js';
import { walkJpeg } from './walk-jpeg.js';
import { walkPng } from './walk-png.js';
import { walkWebp } from './walk-webp.js';

/** An uploaded file that is fit to become a source. */
export type ProbedImage = ImageHeader;

export interface ProbeLimits {
  readonly maxPixels: number;
  readonly maxDecodingBytes: number;
}

const WALKERS: Readonly<Record<ImageFormat, (reader: ByteReader) => Promise<ImageStructure>>> = {
  jpeg: walkJpeg,
  png: walkPng,
  webp: walkWebp,
  avif: walkAvif,
};

/**
 * Decides whether an uploaded file is an image that this service can work on, without decoding a pixel, because
 * it runs in the api process: first the magic bytes, then a walk over the file's structure in our own code (which
 * finds truncation and damage), and only then the library's header parser.
 * @param path the file; it is read through a window of 64 KiB.
 * @param limits `maxPixels`: width × height; `maxDecodingBytes`: memory that decoding it later may take.
 * @throws AppError `unsupported_media_type` (415), `undecodable_image`, `animated_image` or `too_many_pixels` (422).
 */
export async function probeImage(path: string, limits: ProbeLimits): Promise<ProbedImage> {
  const format = await checkStructure(path, limits.maxPixels);
  const header = await readHeader(path, limits);
  if (header.format !== format) throw damaged(`it begins as ${format} but reads as ${header.format}`);
  assertDecodable(header, limits.maxDecodingBytes);
  return header;
}

/**
 * Looks at a file with this service's own code only.
 * @returns the format that the bytes are of
 */
async function checkStructure(path: string, maxPixels: number): Promise<ImageFormat> {
  const reader = await ByteReader.open(path);
  try {
    const head = await reader.read(0, Math.min(SNIFF_BYTES, reader.sizeBytes));
    const format = sniffFormat(head);
    const structure = await WALKERS[format](reader);
    if (structure.animated) throw animated();
    if (structure.size !== undefined) {
      assertPixels(structure.size.width, structure.size.height, maxPixels);
      assertEnoughData(structure, structure.size);
    }
    return format;
  } finally {
    await reader.close();
  }
}

/** A header may promise any size; a decoder would fill what the data lacks with gray. */
function assertEnoughData(
  { dataBytes = 0, leastDataBytes = 0 }: ImageStructure,
  { width, height }: NonNullable<ImageStructure['size']>,
): void {
  if (dataBytes >= leastDataBytes) return;
  throw damaged(
    `its header states ${width} × ${height} pixels, but ${dataBytes} bytes of image data are too few for that size`,
  );
}
