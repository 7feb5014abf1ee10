import type { Picture } from './flow-picture.js';

const GRID = 16;
const CHANNELS = 5;

/** Neighboring pixels differ little, so their difference is amplified; larger differences are clipped. */
const DETAIL_GAIN = 8;

/**
 * A small perceptual fingerprint: for each cell of a 16 × 16 grid, the mean color (premultiplied by alpha), the mean
 * alpha, and the detail (how much green differs from its right neighbor), as hex. It detects a shift of tone, a moved
 * or missing part, a lost or invented texture, but not the last bit in which two machines differ.
 */
export function fingerprintOf(picture: Picture): string {
  const cells = Buffer.alloc(GRID * GRID * CHANNELS);
  for (let row = 0; row < GRID; row += 1) {
    for (let column = 0; column < GRID; column += 1) {
      cells.set(cellMean(picture, column, row), (row * GRID + column) * CHANNELS);
    }
  }
  return cells.toString('hex');
}

/** Mean and largest difference of two fingerprints, 0–255. */
export function fingerprintDistance(one: string, other: string): { mean: number; largest: number } {
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  if (a.length !== b.length) return { mean: 255, largest: 255 };
  const differences = [...a].map((value, at) => Math.abs(value - b[at]!));
  return {
    mean: differences.reduce((sum, value) => sum + value, 0) / differences.length,
    largest: Math.max(...differences),
  };
}

function cellMean({ width, height, data }: Picture, column: number, row: number): number[] {
  const [left, right] = [column, column + 1].map((edge) => Math.floor((edge * width) / GRID));
  const [top, bottom] = [row, row + 1].map((edge) => Math.floor((edge * height) / GRID));
  const sums = [0, 0, 0, 0, 0];
  for (let y = top!; y < bottom!; y += 1) {
    for (let x = left!; x < right!; x += 1) {
      const at = (y * width + x) * 4;
      const alpha = data[at + 3]!;
      for (let channel = 0; channel < 3; channel += 1) sums[channel]! += (data[at + channel]! * alpha) / 255;
      sums[3]! += alpha;
      const neighbor = x + 1 < width ? at + 4 : at;
      sums[4]! += (DETAIL_GAIN * Math.abs(data[at + 1]! - data[neighbor + 1]!) * alpha) / 255;
    }
  }
  const count = (right! - left!) * (bottom! - top!);
  return sums.map((sum) => Math.min(255, Math.round(sum / count)));
}
