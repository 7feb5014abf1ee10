import type { PixelShape } from '../../../kernel/pixels.js';

/**
 * The offset of the pixels in our own files. libvips's own format starts with a header of this length, followed by the
 * contiguous rows; the TIFF header replaces it when the file is sealed.
 */
export const PIXELS_AT_BYTES = 64;

const HEADER_BYTES = 16;
const ENTRY_BYTES = 20;
/** A strip is the minimum that a reader fetches; many small strips keep its memory small. */
const STRIP_BYTES = 2 ** 20;

const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
const UNDEFINED = 7;
const LONG8 = 16;
const BYTES_OF_TYPE: Readonly<Record<number, number>> = {
  [SHORT]: 2,
  [LONG]: 4,
  [RATIONAL]: 8,
  [UNDEFINED]: 1,
  [LONG8]: 8,
};

/**
 * The numerator 72, followed by the denominator 1. The image library writes the density of its input into PNG and EXIF,
 * and 25.4 per inch if the input has none. Other programs use 72 per inch for pictures whose size in print is unknown.
 */
const PIXELS_PER_INCH = 72 + 2 ** 32;

/**
 * The parts that make rows of pixels a TIFF: a header at the start of the file, and a directory after the pixels.
 */
export interface TiffFrame {
  readonly head: Buffer;
  readonly directory: Buffer;
  readonly directoryAt: number;
}

/**
 * Frames uncompressed 8-bit RGB or RGBA rows that start at `PIXELS_AT_BYTES` as a BigTIFF (64-bit offsets, because
 * results may exceed 4 GB). This is the only format that the image library reads from a file in strips; it maps others
 * into memory as a whole.
 * @param profile the ICC profile of the pixels
 */
export function tiffFrame({ width, height, channels }: PixelShape, profile: Buffer): TiffFrame {
  const rowBytes = width * channels;
  const rowsPerStrip = Math.min(height, Math.max(1, Math.floor(STRIP_BYTES / rowBytes)));
  const strips = Array.from({ length: Math.ceil(height / rowsPerStrip) }, (_, index) => index * rowsPerStrip);
  const entries: Entry[] = [
    { tag: 256, type: LONG, values: [width] },
    { tag: 257, type: LONG, values: [height] },
    { tag: 258, type: SHORT, values: Array<number>(channels).fill(8) },
    // Uncompressed; RGB.
    { tag: 259, type: SHORT, values: [1] },
    { tag: 262, type: SHORT, values: [2] },
    { tag: 273, type: LONG8, values: strips.map((row) => PIXELS_AT_BYTES + row * rowBytes) },
    { tag: 277, type: SHORT, values: [channels] },
    { tag: 278, type: LONG, values: [rowsPerStrip] },
    { tag: 279, type: LONG8, values: strips.map((row) => Math.min(rowsPerStrip, height - row) * rowBytes) },
    { tag: 282, type: RATIONAL, values: [PIXELS_PER_INCH] },
    { tag: 283, type: RATIONAL, values: [PIXELS_PER_INCH] },
    // Channels interleaved.
    { tag: 284, type: SHORT, values: [1] },
    // The unit of the density: inches.
    { tag: 296, type: SHORT, values: [2] },
    // Straight alpha.
    ...(channels === 4 ? [{ tag: 338, type: SHORT, values: [2] }] : []),
    { tag: 34675, type: UNDEFINED, values: [...profile] },
  ];
  const end = PIXELS_AT_BYTES + rowBytes * height;
  const directoryAt = Math.ceil(end / 8) * 8;
  return { head: headOf(directoryAt), directory: directoryOf(entries, directoryAt), directoryAt };
}

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly values: readonly number[];
}

/** Little-endian, version 43, offsets of 8 bytes. */
function headOf(directoryAt: number): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.write('II', 'latin1');
  head.writeUInt16LE(43, 2);
  head.writeUInt16LE(8, 4);
  head.writeBigUInt64LE(BigInt(directoryAt), 8);
  return head;
}

function directoryOf(entries: readonly Entry[], directoryAt: number): Buffer {
  // Number of entries, entries, offset of the next directory (none), then values that do not fit into an entry.
  const table = Buffer.alloc(8 + entries.length * ENTRY_BYTES + 8);
  table.writeBigUInt64LE(BigInt(entries.length));
  const outside: Buffer[] = [];
  let outsideAt = directoryAt + table.length;
  for (const [index, { tag, type, values }] of entries.entries()) {
    const at = 8 + index * ENTRY_BYTES;
    table.writeUInt16LE(tag, at);
    table.writeUInt16LE(type, at + 2);
    table.writeBigUInt64LE(BigInt(values.length), at + 4);
    const bytes = bytesOf(type, values);
    if (bytes.length <= 8) {
      bytes.copy(table, at + 12);
      continue;
    }
    table.writeBigUInt64LE(BigInt(outsideAt), at + 12);
    outside.push(bytes);
    outsideAt += bytes.length;
  }
  return Buffer.concat([table, ...outside]);
}

function bytesOf(type: number, values: readonly number[]): Buffer {
  const size = BYTES_OF_TYPE[type]!;
  const bytes = Buffer.alloc(values.length * size);
  for (const [index, value] of values.entries()) {
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value), index * size);
    else bytes.writeUIntLE(value, index * size, size);
  }
  return bytes;
}
