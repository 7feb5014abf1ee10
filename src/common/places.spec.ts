import { describe, expect, it } from 'vitest';
import { Places } from './places.js';

describe('Places', () => {
  it('keeps some for others, however many one account wants', () => {
    const places = new Places(3, 2);
    const [first] = [places.take('a'), places.take('a')];
    expect(places.isFree('a')).toBe(false);
    expect(places.isFree('b')).toBe(true);
    places.take('b');
    expect(places.isFree('c')).toBe(false);
    first();
    expect([places.isFree('a'), places.isFree('c'), places.count]).toEqual([true, true, 2]);
  });

  it('takes a place back once', () => {
    const places = new Places(10, 1);
    const leave = places.take('a');
    leave();
    places.take('a');
    leave();
    expect([places.isFree('a'), places.count]).toEqual([false, 1]);
  });

  it('has none at all when there shall be none', () => {
    expect(new Places(0, 5).isFree('a')).toBe(false);
    expect(new Places(5, 0).isFree('a')).toBe(false);
  });
});
