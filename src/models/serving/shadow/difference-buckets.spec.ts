import { describe, expect, it } from 'vitest';
import { bucketOf, type DifferenceBuckets, medianOf } from './difference-buckets.js';

const counted = (...percents: readonly number[]): DifferenceBuckets => {
  const buckets: Record<number, number> = {};
  for (const percent of percents) buckets[bucketOf(percent)] = (buckets[bucketOf(percent)] ?? 0) + 1;
  return buckets;
};

describe('bucketOf', () => {
  it('increases with the difference, and has fewer than 256 values', () => {
    expect(bucketOf(0)).toBe(0);
    expect(bucketOf(0.0009)).toBe(0);
    expect(bucketOf(0.001)).toBe(1);
    const all = Array.from({ length: 100_001 }, (_, index) => bucketOf(index / 1_000));
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    expect(all.at(-1)).toBe(bucketOf(100));
    expect(bucketOf(100)).toBeLessThan(256);
  });
});

describe('medianOf', () => {
  it('is within 5% of the true median', () => {
    expect(medianOf({})).toBeNull();
    expect(medianOf(counted(0, 0, 0, 50, 60))).toBe(0);
    for (const actual of [0.001, 0.02, 0.5, 3, 27, 99, 100]) {
      const seen = medianOf(counted(0, actual, 100))!;
      expect(Math.abs(seen - actual) / actual).toBeLessThan(0.05);
    }
  });

  it('is the lower of the two middle values', () => {
    expect(medianOf(counted(1, 1, 40, 40))).toBeCloseTo(1, 1);
  });
});
