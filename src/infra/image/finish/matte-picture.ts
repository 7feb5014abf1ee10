import type { OutputKind } from '../../../kernel/output-options.js';
import type { PixelSink, PixelSource, Region } from '../../../kernel/pixels.js';
import { readPadded, stripsOf } from './strips.js';

/**
 * Draws the matte of an RGBA image as gray: white is the subject (`mask`), or its outline (`edges`). The outline is the
 * difference between the highest and the lowest alpha among a pixel and its eight neighbors (a morphological gradient).
 * @param frame the part of the image to show; transparent beyond the image
 * @param target RGB, with the size of the frame; the three channels get the same value
 * @param signal stops the work between strips
 */
export async function drawMatte(
  image: PixelSource,
  frame: Region,
  kind: Exclude<OutputKind, 'image'>,
  target: PixelSink,
  signal?: AbortSignal,
): Promise<void> {
  for (const strip of stripsOf(frame)) {
    signal?.throwIfAborted();
    const area = { x: frame.x, y: frame.y + strip.y, width: frame.width, height: strip.height };
    const gray = kind === 'mask' ? await alphaOf(image, area) : await outlineOf(image, area);
    await target.write({ x: 0, y: strip.y, width: frame.width, height: strip.height }, asRgb(gray));
  }
}

function asRgb(gray: Uint8Array): Uint8Array {
  const rgb = new Uint8Array(gray.length * 3);
  for (let from = 0, to = 0; from < gray.length; from++, to += 3) {
    const value = gray[from]!;
    rgb[to] = value;
    rgb[to + 1] = value;
    rgb[to + 2] = value;
  }
  return rgb;
}

async function alphaOf(image: PixelSource, area: Region): Promise<Uint8Array> {
  const pixels = new Uint8Array(area.width * area.height * 4);
  await readPadded(image, area, pixels);
  const alpha = new Uint8Array(area.width * area.height);
  for (let to = 0, from = 3; to < alpha.length; to++, from += 4) alpha[to] = pixels[from]!;
  return alpha;
}

/** Zero beyond the image. The subject has no outline along the edges of the image. */
async function outlineOf(image: PixelSource, area: Region): Promise<Uint8Array> {
  const { width, height } = area;
  const outline = new Uint8Array(width * height);
  const inside = intersection(area, image);
  if (inside === null) return outline;
  // Adds one pixel on each side, where the image has one.
  const around = intersection(
    { x: inside.x - 1, y: inside.y - 1, width: inside.width + 2, height: inside.height + 2 },
    image,
  )!;
  const alpha = await alphaOf(image, around);
  const low = new Uint8Array(around.width);
  const high = new Uint8Array(around.width);
  const rowOf = (y: number): Uint8Array =>
    alpha.subarray((y - around.y) * around.width, (y - around.y + 1) * around.width);
  for (let y = inside.y; y < inside.y + inside.height; y++) {
    const above = rowOf(Math.max(y - 1, around.y));
    const below = rowOf(Math.min(y + 1, around.y + around.height - 1));
    boundColumns([above, rowOf(y), below], low, high);
    const start = (y - area.y) * width + inside.x - area.x;
    drawGradient(low, high, inside.x - around.x, outline.subarray(start, start + inside.width));
  }
  return outline;
}

/** The lowest and the highest value of each column of three rows. */
function boundColumns(
  [above, row, below]: readonly [Uint8Array, Uint8Array, Uint8Array],
  low: Uint8Array,
  high: Uint8Array,
): void {
  for (let x = 0; x < row.length; x++) {
    const [a, b, c] = [above[x]!, row[x]!, below[x]!];
    low[x] = a < b ? (a < c ? a : c) : b < c ? b : c;
    high[x] = a > b ? (a > c ? a : c) : b > c ? b : c;
  }
}

/**
 * The difference between the bounds of a column and its two neighbors.
 * @param first the column of the first value of `into`; columns that do not exist count as the nearest one
 */
function drawGradient(low: Uint8Array, high: Uint8Array, first: number, into: Uint8Array): void {
  const last = low.length - 1;
  for (let to = 0; to < into.length; to++) {
    const x = first + to;
    const left = x === 0 ? 0 : x - 1;
    const right = x === last ? last : x + 1;
    let highest = high[x]!;
    if (high[left]! > highest) highest = high[left]!;
    if (high[right]! > highest) highest = high[right]!;
    let lowest = low[x]!;
    if (low[left]! < lowest) lowest = low[left]!;
    if (low[right]! < lowest) lowest = low[right]!;
    into[to] = highest - lowest;
  }
}

function intersection(area: Region, { width, height }: PixelSource): Region | null {
  const x = Math.max(0, area.x);
  const y = Math.max(0, area.y);
  const right = Math.min(width, area.x + area.width);
  const bottom = Math.min(height, area.y + area.height);
  return right <= x || bottom <= y ? null : { x, y, width: right - x, height: bottom - y };
}
