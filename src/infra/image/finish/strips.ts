import type { PixelShape, PixelSource, Region } from '../../../kernel/pixels.js';

/** Pixels of one strip: few enough that a loop over them blocks the event loop no longer than a tile does. */
const STRIP_PIXELS = 2 ** 17;

/** Yields ranges of rows, from top to bottom, that divide an image of this size into small strips. */
export function* stripsOf(
  { width, height }: Pick<PixelShape, 'width' | 'height'>,
  stripPixels = STRIP_PIXELS,
): Generator<{
  readonly y: number;
  readonly height: number;
}> {
  const rows = Math.max(1, Math.floor(stripPixels / width));
  for (let y = 0; y < height; y += rows) yield { y, height: Math.min(rows, height - y) };
}

/**
 * Reads a region that may extend beyond the image. Pixels outside the image are transparent black.
 * @param into RGBA rows of the region
 * @param source RGBA
 */
export async function readPadded(source: PixelSource, region: Region, into: Uint8Array): Promise<void> {
  const x = Math.max(0, region.x);
  const y = Math.max(0, region.y);
  const inside = {
    x,
    y,
    width: Math.min(source.width, region.x + region.width) - x,
    height: Math.min(source.height, region.y + region.height) - y,
  };
  if (inside.width === region.width && inside.height === region.height) {
    await source.read(inside, into);
    return;
  }
  into.fill(0);
  if (inside.width <= 0 || inside.height <= 0) return;
  const rows = new Uint8Array(inside.width * inside.height * 4);
  await source.read(inside, rows);
  const rowBytes = inside.width * 4;
  for (let row = 0; row < inside.height; row++) {
    const at = ((inside.y - region.y + row) * region.width + inside.x - region.x) * 4;
    into.set(rows.subarray(row * rowBytes, (row + 1) * rowBytes), at);
  }
}
