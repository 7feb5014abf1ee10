import { crc32 } from 'node:zlib';
import type { ByteReader } from './byte-reader.js';
import { damaged, refuseHdr } from '../codec/refusals.js';
import { type ImageStructure, PartCount } from './structure.js';

const SIGNATURE_BYTES = 8;
const HEADER_BYTES = 13;
/** Deflate expands a byte to at most 1,032 bytes (zlib, technical details). */
const MAX_DEFLATE_RATIO = 1032;
/** Samples per pixel for each color type. */
const SAMPLES_OF_COLOR_TYPE: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Allowed bit depths of each color type (PNG 3rd edition, table 12). */
const DEPTHS_OF_COLOR_TYPE: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

interface Chunk {
  readonly type: string;
  /** Offset of the data, and its length. */
  readonly offset: number;
  readonly length: number;
}

interface PngHeader {
  readonly size: { readonly width: number; readonly height: number };
  readonly isPalette: boolean;
  /** Minimum bytes of compressed data for all pixels. */
  readonly minDataBytes: number;
}

/**
 * Walks the chunks of a PNG from the header to the end chunk and checks every length and checksum, so that truncated
 * and damaged files are found without inflating a byte. Ignores everything after the end chunk.
 * @throws AppError `undecodable_image`; `hdr_image`
 */
export async function walkPng(reader: ByteReader): Promise<ImageStructure> {
  const parts = new PartCount();
  const header = await readChunk(reader, SIGNATURE_BYTES);
  if (header.type !== 'IHDR') throw damaged("the PNG doesn't start with its header");
  const { size, isPalette, minDataBytes } = await readHeader(reader, header);
  let animated = false;
  let hasPalette = false;
  let dataBytes = 0;
  let headerBytes: number | undefined;
  let chunk = header;
  while (chunk.type !== 'IEND') {
    await parts.add();
    chunk = await readChunk(reader, chunk.offset + chunk.length + 4);
    if (chunk.type === 'IHDR') throw damaged('the PNG has two headers');
    if (chunk.type === 'acTL') animated ||= await hasSeveralFrames(reader, chunk);
    if (chunk.type === 'cICP') await refuseHdrColors(reader, chunk);
    hasPalette ||= chunk.type === 'PLTE';
    if (chunk.type === 'IDAT') {
      dataBytes += chunk.length;
      headerBytes ??= chunk.offset;
    }
  }
  if (dataBytes === 0 || headerBytes === undefined) throw damaged('the PNG has no image data');
  if (isPalette && !hasPalette) throw damaged('the PNG has no palette');
  return { animated, size, headerBytes, dataBytes, minDataBytes };
}

async function readChunk(reader: ByteReader, at: number): Promise<Chunk> {
  const prefix = await reader.read(at, 8);
  const length = prefix.readUInt32BE(0);
  const type = prefix.toString('latin1', 4, 8);
  if (!/^[A-Za-z]{4}$/.test(type)) throw damaged('a PNG chunk has an invalid name');
  if (at + 12 + length > reader.sizeBytes) throw damaged('the file is truncated');
  let checksum = crc32(prefix.subarray(4, 8));
  const end = at + 8 + length;
  for (let offset = at + 8; offset < end;) {
    const window = await reader.windowAt(offset);
    if (window.length === 0) throw damaged('the file is truncated');
    const part = window.subarray(0, end - offset);
    checksum = crc32(part, checksum);
    offset += part.length;
  }
  if ((await reader.read(end, 4)).readUInt32BE(0) !== checksum) {
    throw damaged(`the checksum of the PNG chunk ${type} does not match`);
  }
  return { type, offset: at + 8, length };
}

async function readHeader(reader: ByteReader, { offset, length }: Chunk): Promise<PngHeader> {
  if (length !== HEADER_BYTES) throw damaged('the PNG header has an invalid length');
  const header = await reader.read(offset, HEADER_BYTES);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colorType, compression, filter, interlace] = header.subarray(8);
  if (width === 0 || height === 0) throw damaged('the PNG has no width or height');
  if (!(DEPTHS_OF_COLOR_TYPE[colorType!]?.includes(depth!) ?? false)) {
    throw damaged(`the PNG has an invalid combination of color type (${colorType}) and bit depth (${depth})`);
  }
  if (compression !== 0 || filter !== 0 || interlace! > 1) {
    throw damaged('the PNG has an unknown compression, filter or interlace method');
  }
  const rowBytes = 1 + Math.ceil((width * SAMPLES_OF_COLOR_TYPE[colorType!]! * depth!) / 8);
  // The passes of an interlaced image have the same number of pixels and more rows, so this bound holds for them, too.
  const minDataBytes = Math.ceil((rowBytes * height) / MAX_DEFLATE_RATIO);
  return { size: { width, height }, isPalette: colorType === 3, minDataBytes };
}

/** `acTL` (animation control) starts with the number of frames. */
async function hasSeveralFrames(reader: ByteReader, { offset, length }: Chunk): Promise<boolean> {
  return length >= 4 && (await reader.read(offset, 4)).readUInt32BE(0) > 1;
}

/** `cICP` (code points of the colors) has the transfer characteristics in its second byte. It overrides a profile. */
async function refuseHdrColors(reader: ByteReader, { offset, length }: Chunk): Promise<void> {
  if (length >= 2) refuseHdr((await reader.read(offset, 2))[1]!);
}
