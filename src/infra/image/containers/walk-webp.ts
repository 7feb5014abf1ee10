import type { ByteReader } from './byte-reader.js';
import { damaged } from '../codec/refusals.js';
import { type ImageStructure, PartCount } from './structure.js';

const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;

/**
 * Walks the chunks of a WebP (RFC 9649), and checks every length against the RIFF size and that size against the file.
 * Ignores everything after the RIFF data.
 * @throws AppError `undecodable_image`
 */
export async function walkWebp(reader: ByteReader): Promise<ImageStructure> {
  const parts = new PartCount();
  const end = CHUNK_HEADER_BYTES + (await reader.read(4, 4)).readUInt32LE(0);
  if (end > reader.sizeBytes) throw damaged('the file is truncated');
  let canvas: ImageStructure['size'];
  let image: ImageStructure['size'];
  let frames = 0;
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= end;) {
    await parts.add();
    const header = await reader.read(at, CHUNK_HEADER_BYTES);
    const type = header.toString('latin1', 0, 4);
    const length = header.readUInt32LE(4);
    const offset = at + CHUNK_HEADER_BYTES;
    if (offset + length > end) throw damaged('a WebP chunk is longer than the file');
    if (at === RIFF_HEADER_BYTES && !/^VP8[ LX]$/.test(type))
      throw damaged("the WebP doesn't start with its header");
    if (type === 'VP8X') canvas ??= await readCanvas(reader, offset, length);
    if (type === 'VP8 ') image ??= await readLossyFrame(reader, offset, length);
    if (type === 'VP8L') image ??= await readLosslessFrame(reader, offset, length);
    if (type === 'ANMF') frames += 1;
    // Chunks are padded to an even length.
    at = offset + length + (length % 2);
  }
  if (image === undefined && frames === 0) throw damaged('the WebP has no image data');
  return { animated: frames > 1, size: canvas ?? image };
}

/** VP8X: flags, then width − 1 and height − 1 in 24 bits each. */
async function readCanvas(
  reader: ByteReader,
  offset: number,
  length: number,
): Promise<ImageStructure['size']> {
  if (length < 10) throw damaged('the WebP header is too short');
  const header = await reader.read(offset, 10);
  return { width: header.readUIntLE(4, 3) + 1, height: header.readUIntLE(7, 3) + 1 };
}

/** A VP8 key frame: tag, start code, then 14 bits each of width and height (RFC 6386 §9.1). */
async function readLossyFrame(
  reader: ByteReader,
  offset: number,
  length: number,
): Promise<ImageStructure['size']> {
  if (length < 10) throw damaged('the WebP frame is too short');
  const header = await reader.read(offset, 10);
  if ((header[0]! & 1) !== 0 || header.readUIntBE(3, 3) !== 0x9d012a) {
    throw damaged('the WebP frame has no valid header');
  }
  return { width: header.readUInt16LE(6) & 0x3fff, height: header.readUInt16LE(8) & 0x3fff };
}

/** A lossless stream: signature byte, then 14 bits each of width − 1 and height − 1. */
async function readLosslessFrame(
  reader: ByteReader,
  offset: number,
  length: number,
): Promise<ImageStructure['size']> {
  if (length < 5) throw damaged('the WebP frame is too short');
  const header = await reader.read(offset, 5);
  if (header[0] !== 0x2f) throw damaged('the WebP frame has no valid header');
  const bits = header.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
