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

  it('has no places if either limit is 0', () => {
    expect(new HeldRequestLimit(0, 5).isFree('a')).toBe(false);
    expect(new HeldRequestLimit(5, 0).isFree('a')).toBe(false);
  });
});
