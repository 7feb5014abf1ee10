import { describe, expect, it } from 'vitest';
import { maskStrip } from './matte-mask.js';

/** One pixel of a cutout after a mask: `soft` applies where the mask itself is neutral. */
function masked(pixel: readonly number[], gray: number, soft = gray): number[] {
  const rows = Uint8Array.from(pixel);
  const masks = { exact: Uint8Array.of(gray, gray, gray), soft: Uint8Array.of(soft, soft, soft) };
  maskStrip(rows, masks, Uint8Array.of(10, 20, 30), 3);
  return [...rows];
}

describe('maskStrip', () => {
  it.each([
    ['white keeps, in the colors of the source', [0, 0, 0, 0], 255, [10, 20, 30, 255]],
    ['black erases', [200, 100, 50, 255], 0, [200, 100, 50, 0]],
    ['gray leaves the pixel to the model', [200, 100, 50, 77], 128, [200, 100, 50, 77]],
    ['so do values near it', [200, 100, 50, 77], 121, [200, 100, 50, 77]],
    ['values between do so in part', [0, 0, 0, 0], 192, [10, 20, 30, 129]],
    ['erasing in part', [200, 100, 50, 200], 64, [200, 100, 50, 100]],
  ])('%s', (_, pixel, gray, expected) => {
    expect(masked(pixel, gray)).toEqual(expected);
  });

  it('fades out beyond the painted area, and never inside it', () => {
    expect(masked([200, 100, 50, 0], 128, 190)[3]).toBeGreaterThan(100);
    expect(masked([200, 100, 50, 255], 128, 66)[3]).toBeLessThan(155);
    expect(masked([200, 100, 50, 0], 255, 190)).toEqual([10, 20, 30, 255]);
    expect(masked([200, 100, 50, 255], 0, 66)[3]).toBe(0);
  });
});
