import { describe, expect, it } from 'vitest';
import type { RawImage } from '#src/kernel/pixels.js';
import { bestF, lumaPsnr, matteScore, psnr } from './measures.js';
import { BICUBIC, resized, sampledPlane } from './resample.js';

const plain = (width: number, height: number, value: number): RawImage => ({
  data: new Uint8Array(width * height * 3).fill(value),
  width,
  height,
  channels: 3,
});

describe('PSNR', () => {
  it('matches the definition', () => {
    expect(psnr(plain(8, 8, 100), plain(8, 8, 110))).toBeCloseTo(20 * Math.log10(255 / 10), 6);
    // Ten levels of gray are 219/255 of that in studio luma.
    expect(lumaPsnr(plain(20, 20, 100), plain(20, 20, 110), 2)).toBeCloseTo(
      20 * Math.log10(255 / ((10 * 218.997) / 255)),
      3,
    );
  });

  it('ignores a border, and rows that only one picture has', () => {
    const other = plain(20, 21, 100);
    other.data.fill(0, 0, 2 * 20 * 3);
    expect(lumaPsnr(plain(20, 20, 100), other, 2)).toBeGreaterThan(100);
    expect(lumaPsnr(plain(20, 20, 100), other, 1)).toBeLessThan(50);
  });
});

describe('a matte', () => {
  const truth = Uint8Array.from([1, 1, 1, 0, 0, 0, 0, 0]);

  it('that is correct has an F and an IoU of one', () => {
    const score = matteScore(Float32Array.from(truth), truth);
    expect(score).toMatchObject({ iou: 1, error: 0 });
    expect(bestF([score])).toBeCloseTo(1, 9);
  });

  it('is judged at its best threshold, by (1 + β²)PR / (β²P + R)', () => {
    // Above 0.4: all three and one more; P = 3/4, R = 1. Above 0.8: one alone; P = 1, R = 1/3.
    const score = matteScore([0.9, 0.5, 0.5, 0.5, 0.1, 0.1, 0.1, 0.1], truth);
    const f = (precision: number, recall: number): number =>
      (1.3 * precision * recall) / (0.3 * precision + recall);
    expect(bestF([score])).toBeCloseTo(Math.max(f(3 / 4, 1), f(1, 1 / 3)), 9);
    expect(score.iou).toBeCloseTo(1 / 3, 9);
    expect(score.error).toBeCloseTo((0.1 + 0.5 + 0.5 + 0.5 + 4 * 0.1) / 8, 6);
  });

  it('that is empty is correct for an empty ground truth', () => {
    expect(matteScore([0, 0], Uint8Array.from([0, 0])).iou).toBe(1);
  });
});

describe('resampling', () => {
  it('keeps a plane, and a slope away from the border', () => {
    expect(new Set(resized(plain(12, 10, 77), 30, 25, BICUBIC).data)).toEqual(new Set([77]));
    const slope = plain(16, 4, 0);
    for (let at = 0; at < slope.data.length; at++) slope.data[at] = (Math.floor(at / 3) % 16) * 10;
    const large = resized(slope, 32, 4, BICUBIC);
    // Output 13 lies at (13 + 0.5) / 2 − 0.5 = 6.25.
    expect(large.data[13 * 3]).toBe(63);
  });

  it('shrinks with a widened kernel: a fine pattern becomes its mean', () => {
    const pattern = plain(32, 32, 0);
    for (let at = 0; at < pattern.data.length; at++)
      pattern.data[at] = Math.floor(at / 3) % 2 === 0 ? 0 : 200;
    const small = resized(pattern, 8, 8, BICUBIC);
    expect(Math.abs(small.data[4 * 8 * 3 + 12]! - 100)).toBeLessThanOrEqual(3);
  });

  it('samples a map with half-pixel centers', () => {
    const plane = sampledPlane(Float32Array.from([0, 1, 0, 1]), 2, 4, 2);
    expect(plane.slice(0, 4)).toEqual(Float32Array.from([0, 0.25, 0.75, 1]));
  });
});
