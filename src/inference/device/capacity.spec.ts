import { beforeEach, describe, expect, it } from 'vitest';
import { Capacity, PIECES } from './capacity.js';

describe('Capacity', () => {
  let nowMs: number;
  let capacity: Capacity;

  beforeEach(() => {
    nowMs = 0;
    capacity = new Capacity([1, 2, 4, 6], () => nowMs);
  });

  it('steps down through the sizes to pieces of a tile', () => {
    const seen = [];
    for (; capacity.current !== PIECES; capacity.shrink(capacity.current)) seen.push(capacity.current);
    expect(seen).toEqual([6, 4, 2, 1]);
  });

  it('tries the full size again after a minute', () => {
    capacity.shrink(2);
    expect(capacity.current).toBe(1);
    nowMs = 59_999;
    expect(capacity.current).toBe(1);
    nowMs = 60_000;
    expect(capacity.current).toBe(6);
  });

  describe('after a warm-up in which no batch of four fitted', () => {
    const MINUTE_MS = 60_000;

    beforeEach(() => {
      for (const size of [6, 4]) capacity.lower(size);
    });

    it('names the largest batch that did', () => {
      expect(capacity.lowered).toBe(2);
      expect(new Capacity([1, 2]).lowered).toBeUndefined();
    });

    it('tries the next larger size every ten minutes, because another process may have used the memory', () => {
      const seen = [];
      for (const minutes of [0, 9, 10, 19, 20, 1_000]) {
        nowMs = minutes * MINUTE_MS;
        seen.push(capacity.current);
      }
      expect(seen).toEqual([2, 2, 4, 4, 6, 6]);
    });

    it('waits ten minutes again if that size still does not fit', () => {
      nowMs = 10 * MINUTE_MS;
      capacity.shrink(4);
      const seen = [];
      for (const minutes of [10, 19, 20]) {
        nowMs = minutes * MINUTE_MS;
        seen.push(capacity.current);
      }
      expect(seen).toEqual([2, 2, 4]);
    });

    it('returns only to the size that fitted, after a minute in which it did not', () => {
      capacity.shrink(2);
      expect(capacity.current).toBe(1);
      nowMs = MINUTE_MS;
      expect(capacity.current).toBe(2);
    });

    it('returns within a minute to a larger size that has run since', () => {
      nowMs = 20 * MINUTE_MS;
      capacity.fitted(6);
      expect(capacity.lowered).toBeUndefined();
      capacity.shrink(6);
      const seen = [capacity.current];
      nowMs = 21 * MINUTE_MS;
      expect([...seen, capacity.current]).toEqual([4, 6]);
    });

    it('learns nothing from a run of a size that fitted', () => {
      capacity.fitted(1);
      expect(capacity.lowered).toBe(2);
    });

    it('goes up from pieces of a tile', () => {
      for (const size of [2, 1]) capacity.lower(size);
      expect([capacity.current, capacity.lowered]).toEqual([PIECES, PIECES]);
      nowMs = 10 * MINUTE_MS;
      expect(capacity.current).toBe(1);
    });
  });
});
