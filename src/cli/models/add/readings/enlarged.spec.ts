import { describe, expect, it } from 'vitest';
import { phaseKernels } from '../../../../models/compose/enlarge.js';
import { enlarged } from './enlarged.js';

const [WIDTH, HEIGHT, CHANNELS] = [5, 4, 3];
const planes = Float32Array.from({ length: WIDTH * HEIGHT * CHANNELS }, (_, at) => (at * 83) % 256);

/** The pixel of the result at x and y: the sum of the 5 × 5 source pixels around it, by its kernel. */
function expected(channel: number, x: number, y: number, scale: number): number {
  const kernel = phaseKernels(scale, 'bicubic').slice(((y % scale) * scale + (x % scale)) * 25);
  const clamped = (at: number, length: number): number => Math.min(length - 1, Math.max(0, at));
  let sum = 0;
  for (let tap = 0; tap < 25; tap++) {
    const row = clamped(Math.floor(y / scale) + Math.floor(tap / 5) - 2, HEIGHT);
    const column = clamped(Math.floor(x / scale) + (tap % 5) - 2, WIDTH);
    sum += kernel[tap]! * planes[(channel * HEIGHT + row) * WIDTH + column]!;
  }
  return Math.fround(sum);
}

describe('a bicubic enlargement', () => {
  it.each([2, 3, 4])('by %i weights the pixels around each one, with a replicated border', (scale) => {
    const made = enlarged(planes, { width: WIDTH, height: HEIGHT }, scale);
    const all = [...made.keys()].map((at) => {
      const [across, down] = [WIDTH * scale, HEIGHT * scale];
      const row = Math.floor(at / across);
      return expected(Math.floor(row / down), at % across, row % down, scale);
    });
    expect([...made]).toEqual(all);
  });

  it('by 1 changes nothing', () => {
    expect(enlarged(planes, { width: WIDTH, height: HEIGHT }, 1)).toEqual(planes);
  });
});
