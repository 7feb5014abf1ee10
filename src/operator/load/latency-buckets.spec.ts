import { describe, expect, it } from 'vitest';
import { LATENCY_BUCKETS, quantileMs } from './latency-buckets.js';

const counts = (given: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => given[bucket] ?? 0);

describe('quantileMs', () => {
  it.each([
    ['no job', [], 0.5, null],
    ['only empty buckets', counts({}), 0.99, null],
    ['one job', counts({ 4: 1 }), 0.5, 20],
    ['one job, the highest quantile', counts({ 4: 1 }), 0.99, 20],
    ['half and half', counts({ 0: 50, 40: 50 }), 0.5, 10],
    ['the slowest of a hundred', counts({ 0: 99, 40: 1 }), 0.99, 10],
    ['the two slowest of a hundred', counts({ 0: 98, 40: 2 }), 0.99, 10_240],
  ])('of %s', (_name, given, quantile, expected) => {
    expect(quantileMs(given, quantile)).toBe(expected);
  });
});
