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

  it('never retries a size that did not fit when nothing else ran', () => {
    capacity.lower(6);
    capacity.shrink(2);
    nowMs = 1e9;
    expect(capacity.current).toBe(4);
  });
});
