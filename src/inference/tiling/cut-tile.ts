import type { RawImage } from '../../kernel/pixels.js';

/**
 * Cuts the square of size `edge` whose top left corner is (x, y). The square may extend beyond the image, where the
 * border pixels are repeated. Copies whole rows.
 * @returns edge × edge × channels bytes in a new buffer
 */
export function cutTile(image: RawImage, x: number, y: number, edge: number): Uint8Array<ArrayBuffer> {
  const { width, height, channels, data } = image;
  const stride = edge * channels;
  const square = new Uint8Array(edge * stride);
  // Columns of the square that the image covers: at least one, because a tile begins inside the image.
  const from = clamp(-x, 0, edge - 1);
  const to = clamp(width - x, from + 1, edge);
  let drawnRow = -1;
  let drawnAt = 0;
  for (let row = 0; row < edge; row++) {
    const sourceRow = clamp(y + row, 0, height - 1);
    const at = row * stride;
    if (sourceRow === drawnRow) {
      square.copyWithin(at, drawnAt, drawnAt + stride);
      continue;
    }
    const source = (sourceRow * width + clamp(x + from, 0, width - 1)) * channels;
    square.set(data.subarray(source, source + (to - from) * channels), at + from * channels);
    repeat(square, at + from * channels, at, from, channels);
    repeat(square, at + (to - 1) * channels, at + to * channels, edge - to, channels);
    drawnRow = sourceRow;
    drawnAt = at;
  }
  return square;
}

/** Fills `count` pixels from `at` with the pixel at `pixel`, doubling the filled part each time. */
function repeat(bytes: Uint8Array, pixel: number, at: number, count: number, channels: number): void {
  if (count <= 0) return;
  bytes.copyWithin(at, pixel, pixel + channels);
  const length = count * channels;
  for (let done = channels; done < length; done *= 2) {
    bytes.copyWithin(at + done, at, at + Math.min(done, length - done));
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
