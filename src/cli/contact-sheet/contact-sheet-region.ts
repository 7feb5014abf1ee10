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

/** A part of an image in pixels. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/**
 * Finds the region of the given size that changed most: the border of a cutout, an edge that became sharper, skin that
 * became smoother, or lettering that came to light, but not a plain area that only became brighter.
 * @param before,after the same picture at the same small size, including its transparency.
 * @param size of the region, as fractions of width and height.
 */
export function mostChangedRegion(before: JimpInstance, after: JimpInstance, size: WindowSize): Region {
  const { width, height } = before.bitmap;
  const changeIn = changeOf(before, after);
  const [w, h] = [Math.max(1, Math.round(size.width * width)), Math.max(1, Math.round(size.height * height))];
  const step = Math.max(1, Math.round(Math.min(w, h) / 8));
  let best = { x: Math.floor((width - w) / 2), y: Math.floor((height - h) / 2), change: 0 };
  for (let y = 0; y + h <= height; y += step) {
    for (let x = 0; x + w <= width; x += step) {
      const change = changeIn({ x, y, w, h });
      if (change > best.change * FIRST_WINS) best = { x, y, change };
    }
  }
  const left = Math.min(best.x / width, 1 - size.width);
  const top = Math.min(best.y / height, 1 - size.height);
  return { left: Math.max(0, left), top: Math.max(0, top), width: size.width, height: size.height };
}

/**
 * Measures the change of a region. Where a background was removed, this is the variance of the change of alpha, which is
 * largest where the border is in the middle. Otherwise it is how much the change of luminance (BT.601) differs between
 * neighboring pixels.
 */
function changeOf(before: JimpInstance, after: JimpInstance): (box: Box) => number {
  const { width, height } = before.bitmap;
  const [a, b] = [before.bitmap.data, after.bitmap.data];
  const alpha = new Float64Array(width * height);
  const light = new Float64Array(width * height);
  let hasCutOut = false;
  for (let pixel = 0, at = 0; pixel < alpha.length; pixel++, at += 4) {
    alpha[pixel] = b[at + 3]! - a[at + 3]!;
    light[pixel] = luminance(b, at) - luminance(a, at);
    hasCutOut ||= Math.abs(alpha[pixel]!) > 64;
  }
  if (!hasCutOut) return sumsOf(slopesOf(light, width, height), width, height);
  const sum = sumsOf(alpha, width, height);
  const squares = sumsOf(
    alpha.map((value) => value * value),
    width,
    height,
  );
  return (box) => squares(box) / (box.w * box.h) - (sum(box) / (box.w * box.h)) ** 2;
}

function luminance(data: Buffer, at: number): number {
  return 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
}

/** For each pixel, the squared differences to its right and lower neighbors. */
function slopesOf(values: Float64Array, width: number, height: number): Float64Array {
  const slopes = new Float64Array(values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const right = x + 1 < width ? values[at + 1]! - values[at]! : 0;
      const below = y + 1 < height ? values[at + width]! - values[at]! : 0;
      slopes[at] = right * right + below * below;
    }
  }
  return slopes;
}

/** The sum of the values in a region, from a summed-area table that is one row and column larger than the picture. */
function sumsOf(values: Float64Array, width: number, height: number): (box: Box) => number {
  const stride = width + 1;
  const table = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y + 1) * stride + x + 1;
      table[at] = values[y * width + x]! + table[at - 1]! + table[at - stride]! - table[at - stride - 1]!;
    }
  }
  return ({ x, y, w, h }) =>
    table[(y + h) * stride + x + w]! -
    table[y * stride + x + w]! -
    table[(y + h) * stride + x]! +
    table[y * stride + x]!;
}
