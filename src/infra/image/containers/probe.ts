import type { ImageFormat } from '../../../kernel/operations.js';
import { ByteReader } from './byte-reader.js';
import type { ImageHeader } from './image-header.js';
import { animated, assertDecodable, assertPixels, damaged } from '../codec/refusals.js';
import { SNIFF_BYTES, sniffFormat } from './sniff.js';
import type { ImageStructure } from './structure.js';
import { walkAvif } from './walk-avif.js';
import { walkJpeg } from './walk-jpeg.js';
import { walkPng } from './walk-png.js';
import { walkWebp } from './walk-webp.js';

/** An uploaded file that is valid as a source. */
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

/** Reads a header with the image library, from at most `headerBytes`. Throws the same refusals as `probeImage`. */
export type ReadHeader = (
  path: string,
  limits: { readonly maxPixels: number; readonly headerBytes?: number | undefined },
) => Promise<ImageHeader>;

/**
 * Decides whether an uploaded file is an image that this service can process, without decoding pixels: checks the magic
 * bytes first, then walks the file's structure in our own code (which finds truncation and damage), and only then calls
 * the library's header parser, which the API runs in another process.
 * @param path the file, read through a window of 64 KiB
 * @param limits `maxPixels`: width × height; `maxDecodingBytes`: memory that decoding it later may take
 * @throws AppError `unsupported_media_type`, `hdr_image` (415), `undecodable_image`, `animated_image`, or
 *   `too_many_pixels` (422)
 */
export async function probeImage(
  path: string,
  limits: ProbeLimits,
  readHeader: ReadHeader,
): Promise<ProbedImage> {
  const { format, headerBytes } = await checkStructure(path, limits.maxPixels);
  const header = await readHeader(path, { maxPixels: limits.maxPixels, headerBytes });
  if (header.format !== format) throw damaged(`it starts as ${format} but decodes as ${header.format}`);
  assertDecodable(header, limits.maxDecodingBytes);
  return header;
}

/**
 * Examines a file with our own code only.
 * @returns the format, and where the header ends if known
 */
async function checkStructure(
  path: string,
  maxPixels: number,
): Promise<{ readonly format: ImageFormat; readonly headerBytes: number | undefined }> {
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
    return { format, headerBytes: structure.headerBytes };
  } finally {
    await reader.close();
  }
}

/** A header may state any size; decoders fill missing data with gray. */
function assertEnoughData(
  { dataBytes = 0, minDataBytes = 0 }: ImageStructure,
  { width, height }: NonNullable<ImageStructure['size']>,
): void {
  if (dataBytes >= minDataBytes) return;
  throw damaged(
    `the header says ${width} × ${height} pixels, but ${dataBytes} bytes of image data are too few for that size`,
  );
}
