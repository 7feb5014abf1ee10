import { deflateSync } from 'node:zlib';
import { PNG_SIGNATURE, pngChunk, uint32 } from './png-chunks.js';

const SIDE = 7_000;
/** The passes of an interlaced PNG (Adam7): first column, first row, and the steps to the next ones. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const SAMPLES = { 0: 1, 2: 3, 6: 4 } as const;

export interface PngTraits {
  readonly width: number;
  readonly height: number;
  readonly depth: 8 | 16;
  /** Gray, RGB or RGBA. */
  readonly colorType: keyof typeof SAMPLES;
  readonly isInterlaced: boolean;
  /** 0 (none) to 4 (Paeth), for every row. */
  readonly filter: number;
}

/** A valid interlaced black PNG of 49 MP in 150 kB: takes about a second to decode. */
export function slowPng(): Buffer {
  return blackPng({ width: SIDE, height: SIDE, depth: 8, colorType: 2, isInterlaced: true, filter: 0 });
}

/**
 * A black (or fully transparent) PNG.
 * @param chunks inserted between its header and its pixels
 * @param dataChunkBytes maximum length of a chunk of pixels
 */
export function blackPng(
  traits: PngTraits,
  chunks: readonly Buffer[] = [],
  dataChunkBytes = 2 ** 30,
): Buffer {
  const { width, height, depth, colorType, isInterlaced } = traits;
  const header = Buffer.concat([
    uint32(width),
    uint32(height),
    Buffer.from([depth, colorType, 0, 0, isInterlaced ? 1 : 0]),
  ]);
  const data = deflateSync(rowsOf(traits), { level: 6 });
  const pixels: Buffer[] = [];
  for (let at = 0; at < data.length; at += dataChunkBytes)
    pixels.push(pngChunk('IDAT', data.subarray(at, at + dataChunkBytes)));
  return Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', header), ...chunks, ...pixels, pngChunk('IEND')]);
}

function rowsOf({ width, height, depth, colorType, isInterlaced, filter }: PngTraits): Buffer {
  const pixelBytes = (SAMPLES[colorType] * depth) / 8;
  const passes = isInterlaced ? PASSES : ([[0, 0, 1, 1]] as const);
  const sizes = passes.map(([left, top, across, down]) => ({
    columns: Math.ceil((width - left) / across),
    rows: Math.ceil((height - top) / down),
  }));
  const used = sizes.filter(({ columns, rows }) => columns > 0 && rows > 0);
  const bytes = used.reduce((sum, { columns, rows }) => sum + rows * (1 + columns * pixelBytes), 0);
  const data = Buffer.alloc(bytes);
  let at = 0;
  for (const { columns, rows } of used)
    for (let row = 0; row < rows; row++, at += 1 + columns * pixelBytes) data[at] = filter;
  return data;
}

/** A compressed text chunk (zTXt) of zeros, which inflates to about a thousand times its size. */
export function textBomb(keyword: string, inflatedBytes: number): Buffer {
  const text = deflateSync(Buffer.alloc(inflatedBytes), { level: 9 });
  return pngChunk('zTXt', Buffer.concat([Buffer.from(`${keyword}\0\0`, 'latin1'), text]));
}

/** A compressed color profile (iCCP). */
export function profileChunk(profile: Buffer): Buffer {
  return pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0', 'latin1'), deflateSync(profile)]));
}
