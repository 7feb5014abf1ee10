import { describe, expect, it } from 'vitest';
import { HeldRequestLimit } from './held-request-limit.js';

describe('HeldRequestLimit', () => {
  it('keeps places for others, however many one account wants', () => {
    const limit = new HeldRequestLimit(3, 2);
    const [first] = [limit.take('a'), limit.take('a')];
    expect(limit.isFree('a')).toBe(false);
    expect(limit.isFree('b')).toBe(true);
    limit.take('b');
    expect(limit.isFree('c')).toBe(false);
    first();
    expect([limit.isFree('a'), limit.isFree('c'), limit.count]).toEqual([true, true, 2]);
  });

  it('takes back a place only once', () => {
    const limit = new HeldRequestLimit(10, 1);
    const release = limit.take('a');
    release();
    limit.take('a');
    release();
    expect([limit.isFree('a'), limit.count]).toEqual([false, 1]);
  });

  it('counts bytes', () => {
    const limit = new HeldRequestLimit(100, 60);
    const release = limit.take('a', 40);
    expect([20, 21].map((bytes) => limit.isFree('a', bytes))).toEqual([true, false]);
    expect([60, 61].map((bytes) => limit.isFree('b', bytes))).toEqual([true, false]);
    limit.take('b', 60);
    expect([limit.isFree('c'), limit.isWithinShare('c', 60), limit.isWithinShare('a', 21)]).toEqual([
      false,
      true,
      false,
    ]);
    release();
    expect([limit.isFree('c', 40), limit.isFree('c', 41), limit.count]).toEqual([true, false, 60]);
  });

  it('has no places if either limit is 0', () => {
    expect(new HeldRequestLimit(0, 5).isFree('a')).toBe(false);
    expect(new HeldRequestLimit(5, 0).isFree('a')).toBe(false);
  });
});
