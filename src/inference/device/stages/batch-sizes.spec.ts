import { describe, expect, it } from 'vitest';
import { batchSizes, sizeFor, splitIntoRuns } from './batch-sizes.js';

describe('batchSizes', () => {
  it.each([
    [1, [1]],
    [2, [1, 2]],
    [6, [1, 2, 4, 6]],
    [32, [1, 2, 4, 8, 16, 32]],
  ])('for a cap of %i are %j', (cap, sizes) => {
    expect(batchSizes(cap)).toEqual(sizes);
  });
});

describe('sizeFor', () => {
  it('is the smallest size that fits the items', () => {
    expect([1, 2, 3, 4].map((count) => sizeFor(count, [1, 2, 4]))).toEqual([1, 2, 4, 4]);
  });

  it('refuses a count that fits no size', () => {
    for (const count of [0, 5])
      expect(() => sizeFor(count, [1, 2, 4])).toThrow(`a batch of ${count} is outside`);
  });
});

describe('splitIntoRuns', () => {
  const runs = (count: number, limit = 8): number[] =>
    splitIntoRuns(
      Array.from({ length: count }, (_, index) => index),
      [1, 2, 4, 8],
      limit,
    ).map(({ length }) => length);

  it.each([
    [0, []],
    [1, [1]],
    [3, [3]],
    [5, [4, 1]],
    [6, [6]],
    [7, [7]],
    [8, [8]],
    [13, [8, 4, 1]],
    [14, [8, 6]],
  ])('splits %i items into %j', (count, expected) => {
    expect(runs(count)).toEqual(expected);
  });

  it('respects the limit, and neither loses nor repeats an item', () => {
    expect(runs(9, 4)).toEqual([4, 4, 1]);
    expect(runs(3, 1)).toEqual([1, 1, 1]);
    const items = Array.from({ length: 29 }, (_, index) => index);
    expect(splitIntoRuns(items, [1, 2, 4, 8, 12], 12).flat()).toEqual(items);
  });
});
