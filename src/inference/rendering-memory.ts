import { BLOCKS_AT_ONCE, MAX_BLOCK_BYTES } from './tile-blocks.js';

/** Tiles in transit to the device and back, counted twice because garbage collection is delayed. */
const TILES_BYTES = 32 * 2 ** 20;

/** Maximum memory of a render in the host thread, in bytes. Bounded for images of any size. */
export function renderingBytes(sourcePixels: number, scale: number): number {
  const wholeBytes = sourcePixels * 4;
  const read = Math.min(wholeBytes, BLOCKS_AT_ONCE * MAX_BLOCK_BYTES);
  const drawn = Math.min(wholeBytes * scale * scale, BLOCKS_AT_ONCE * MAX_BLOCK_BYTES);
  return Math.min(TILES_BYTES, 2 * drawn) + read + drawn;
}
