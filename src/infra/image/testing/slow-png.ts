import { deflateSync } from 'node:zlib';
import { PNG_SIGNATURE, pngChunk, uint32 } from './png-chunks.js';

const SIDE = 7_000;
/** Columns and rows that the passes of an interlaced PNG take each, as divisors of the side. */
const PASSES = [
  [8, 8],
  [8, 8],
  [4, 8],
  [4, 4],
  [2, 4],
  [2, 2],
  [1, 2],
] as const;

/** A sound PNG of 49 MP in 150 kB, black and interlaced: takes about a second to decode. */
export function slowPng(): Buffer {
  const header = Buffer.concat([uint32(SIDE), uint32(SIDE), Buffer.from([8, 2, 0, 0, 1])]);
  const rows = PASSES.map(([across, down]) => (1 + (3 * SIDE) / across) * (SIDE / down));
  const pixels = deflateSync(Buffer.alloc(rows.reduce((a, b) => a + b, 0)));
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', pixels), pngChunk('IEND')];
  return Buffer.concat([PNG_SIGNATURE, ...chunks]);
}
