import type { RawImage } from '../../kernel/pixels.js';
import type { Tile } from './tile-grid.js';

/** How a rendered square maps to the result. */
export interface PasteGeometry {
  /** Width of the square in source pixels, including its halo. */
  readonly edge: number;
  /** Halo in source pixels. */
  readonly halo: number;
  /** Result pixels per source pixel. */
  readonly scale: number;
}

/** Copies the useful part of a rendered square, without its halo, to its place in `target`, row by row. */
export function pasteTile(target: RawImage, square: Uint8Array, tile: Tile, geometry: PasteGeometry): void {
  const { edge, halo, scale } = geometry;
  const { channels } = target;
  const rowBytes = tile.width * scale * channels;
  const squareStride = edge * scale * channels;
  const targetStride = target.width * channels;
  let from = halo * scale * squareStride + halo * scale * channels;
  let to = tile.y * scale * targetStride + tile.x * scale * channels;
  for (let row = 0; row < tile.height * scale; row++) {
    target.data.set(square.subarray(from, from + rowBytes), to);
    from += squareStride;
    to += targetStride;
  }
}
