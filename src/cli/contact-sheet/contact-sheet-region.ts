import type { JimpInstance } from 'jimp';

/** A part of an image, as fractions (0–1) of its width and height, so that it applies to the image at any size. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Among nearly equal positions, the first (topmost) wins: in a cutout, the head rather than a sleeve. */
const FIRST_WINS = 1.05;

interface WindowSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Finds the region of the given size where the difference between the two pictures varies most: an edge that became
 * sharper, skin that became smoother, or the border of a cutout, but not a plain area that only became brighter.
 * @param before,after the same picture at the same small size, including its transparency.
 * @param size of the region, as fractions of width and height.
 */
export function mostChangedRegion(before: JimpInstance, after: JimpInstance, size: WindowSize): Region {
  const { width, height } = before.bitmap;
  const sums = integralsOf(differenceOf(before, after), width, height);
  const [w, h] = [Math.max(1, Math.round(size.width * width)), Math.max(1, Math.round(size.height * height))];
  const step = Math.max(1, Math.round(Math.min(w, h) / 8));
  let best = { x: Math.floor((width - w) / 2), y: Math.floor((height - h) / 2), variance: 0 };
  for (let y = 0; y + h <= height; y += step) {
    for (let x = 0; x + w <= width; x += step) {
      const variance = varianceOf(sums, width + 1, { x, y, w, h });
      if (variance > best.variance * FIRST_WINS) best = { x, y, variance };
    }
  }
  const left = Math.min(best.x / width, 1 - size.width);
  const top = Math.min(best.y / height, 1 - size.height);
  return { left: Math.max(0, left), top: Math.max(0, top), width: size.width, height: size.height };
}

/** The change of each pixel: in alpha where a background was removed, otherwise in luminance (BT.601). */
function differenceOf(before: JimpInstance, after: JimpInstance): Float64Array {
  const [a, b] = [before.bitmap.data, after.bitmap.data];
  const alpha = new Float64Array(a.length / 4);
  const light = new Float64Array(a.length / 4);
  let hasCutOut = false;
  const luminance = (data: Buffer, at: number): number =>
    0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  for (let pixel = 0, at = 0; pixel < alpha.length; pixel++, at += 4) {
    alpha[pixel] = b[at + 3]! - a[at + 3]!;
    light[pixel] = luminance(b, at) - luminance(a, at);
    hasCutOut ||= Math.abs(alpha[pixel]!) > 64;
  }
  return hasCutOut ? alpha : light;
}

interface Integrals {
  readonly sum: Float64Array;
  readonly squares: Float64Array;
}

/** Summed-area tables, one row and column larger than the picture. */
function integralsOf(values: Float64Array, width: number, height: number): Integrals {
  const stride = width + 1;
  const sum = new Float64Array(stride * (height + 1));
  const squares = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = values[y * width + x]!;
      const at = (y + 1) * stride + x + 1;
      sum[at] = value + sum[at - 1]! + sum[at - stride]! - sum[at - stride - 1]!;
      squares[at] = value * value + squares[at - 1]! + squares[at - stride]! - squares[at - stride - 1]!;
    }
  }
  return { sum, squares };
}

function varianceOf(
  { sum, squares }: Integrals,
  stride: number,
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
): number {
  const inside = (table: Float64Array): number =>
    table[(y + h) * stride + x + w]! -
    table[y * stride + x + w]! -
    table[(y + h) * stride + x]! +
    table[y * stride + x]!;
  const mean = inside(sum) / (w * h);
  return inside(squares) / (w * h) - mean * mean;
}
