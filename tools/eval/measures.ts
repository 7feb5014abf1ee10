import type { RawImage } from '#src/kernel/pixels.js';

/** Scores as in scripts/training/measuring/measures.py. */

/** Gives precision more weight than recall: the convention of salient-object detection (Achanta et al. 2009). */
const BETA_SQUARE = 0.3;
const THRESHOLDS = Array.from({ length: 34 }, (_, index) => (index * 0.99) / 33);

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Mean absolute difference of the color values of two pictures of the same size, 0–255. */
export function meanChange(a: RawImage, b: RawImage): number {
  const pixels = a.width * a.height;
  let sum = 0;
  for (let pixel = 0; pixel < pixels; pixel++)
    for (let channel = 0; channel < 3; channel++)
      sum += Math.abs(a.data[pixel * a.channels + channel]! - b.data[pixel * b.channels + channel]!);
  return sum / (pixels * 3);
}

/** PSNR in dB over the color channels of two pictures of the same size. Alpha is ignored. */
export function psnr(a: RawImage, b: RawImage): number {
  const pixels = a.width * a.height;
  let sum = 0;
  for (let pixel = 0; pixel < pixels; pixel++)
    for (let channel = 0; channel < 3; channel++)
      sum += (a.data[pixel * a.channels + channel]! - b.data[pixel * b.channels + channel]!) ** 2;
  return decibels(sum / (pixels * 3));
}

/**
 * PSNR of BT.601 studio luma, as super-resolution papers compute it. The pictures may differ by a few pixels in size;
 * only the common area counts.
 * @param shave pixels left out on each side
 */
export function lumaPsnr(a: RawImage, b: RawImage, shave: number): number {
  const width = Math.min(a.width, b.width) - shave;
  const height = Math.min(a.height, b.height) - shave;
  let [sum, count] = [0, 0];
  for (let y = shave; y < height; y++) {
    for (let x = shave; x < width; x++, count++) sum += (lumaAt(a, x, y) - lumaAt(b, x, y)) ** 2;
  }
  return decibels(sum / count);
}

function lumaAt({ data, width, channels }: RawImage, x: number, y: number): number {
  const at = (y * width + x) * channels;
  return (65.481 * data[at]! + 128.553 * data[at + 1]! + 24.966 * data[at + 2]!) / 255;
}

function decibels(meanSquare: number): number {
  return 10 * Math.log10(255 ** 2 / Math.max(meanSquare, 1e-9));
}

/** Precision and recall of one matte at every threshold, and two more measures. */
export interface MatteScore {
  readonly precision: readonly number[];
  readonly recall: readonly number[];
  /** Intersection over union at a threshold of 0.5. */
  readonly iou: number;
  /** Mean absolute error, 0–1. */
  readonly error: number;
}

/** @param matte 0–1 for each pixel @param truth 1 where the subject is */
export function matteScore(matte: ArrayLike<number>, truth: Uint8Array): MatteScore {
  // Counts each value once, by the number of thresholds that it exceeds, instead of once per threshold.
  const inside = new Float64Array(THRESHOLDS.length + 1);
  const outside = new Float64Array(THRESHOLDS.length + 1);
  let [both, either, error, subject] = [0, 0, 0, 0];
  for (let at = 0; at < truth.length; at++) {
    const value = matte[at]!;
    const isTrue = truth[at] === 1;
    const passed = passes(value);
    if (isTrue) inside[passed]! += 1;
    else outside[passed]! += 1;
    subject += isTrue ? 1 : 0;
    both += isTrue && value > 0.5 ? 1 : 0;
    either += isTrue || value > 0.5 ? 1 : 0;
    error += Math.abs(value - (isTrue ? 1 : 0));
  }
  const hits = fromTop(inside);
  const misses = fromTop(outside);
  return {
    precision: THRESHOLDS.map(
      (_, index) => hits[index + 1]! / Math.max(hits[index + 1]! + misses[index + 1]!, 1),
    ),
    recall: THRESHOLDS.map((_, index) => hits[index + 1]! / Math.max(subject, 1)),
    iou: either === 0 ? 1 : both / either,
    error: error / truth.length,
  };
}

/** The number of thresholds below a value. */
function passes(value: number): number {
  let count = Math.min(THRESHOLDS.length, Math.max(0, Math.ceil((value * 33) / 0.99)));
  while (count > 0 && value <= THRESHOLDS[count - 1]!) count--;
  while (count < THRESHOLDS.length && value > THRESHOLDS[count]!) count++;
  return count;
}

/** For each index, the sum of all counts from that index on. */
function fromTop(counts: Float64Array): Float64Array {
  const sums = Float64Array.from(counts);
  for (let at = sums.length - 2; at >= 0; at--) sums[at]! += sums[at + 1]!;
  return sums;
}

/** The largest F-measure over all thresholds, from precision and recall averaged over the pictures. */
export function bestF(scores: readonly MatteScore[]): number {
  const curve = THRESHOLDS.map((_, index) => {
    const precision = mean(scores.map((score) => score.precision[index]!));
    const recall = mean(scores.map((score) => score.recall[index]!));
    return ((1 + BETA_SQUARE) * precision * recall) / Math.max(BETA_SQUARE * precision + recall, 1e-9);
  });
  return Math.max(...curve);
}
