import { describe, expect, it } from 'vitest';
import { endOfDays, lastDays, perDay } from './usage-series.js';

const NOW = Date.parse('2026-03-02T00:30:00Z');

describe('lastDays', () => {
  it('ends today and crosses months', () => {
    expect(lastDays(3, NOW)).toEqual(['2026-02-28', '2026-03-01', '2026-03-02']);
    expect(lastDays(1, NOW)).toEqual(['2026-03-02']);
  });
});

describe('perDay', () => {
  it('has a number for every day', () => {
    expect(perDay(['a', 'b', 'c'], new Map([['b', 7]]))).toEqual([0, 7, 0]);
  });
});

describe('endOfDays', () => {
  it('counts back from the current total', () => {
    const changes = new Map([
      ['b', 40],
      ['c', -10],
    ]);
    expect(endOfDays(['a', 'b', 'c', 'd'], changes, 100)).toEqual([70, 110, 100, 100]);
  });

  it('never returns a negative number', () => {
    expect(endOfDays(['a', 'b'], new Map([['b', 50]]), 20)).toEqual([0, 20]);
  });
});
