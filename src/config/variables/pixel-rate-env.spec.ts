import { describe, expect, it } from 'vitest';
import { PIXEL_RATE_DESCRIPTORS } from './pixel-rate-env.js';

const { read } = PIXEL_RATE_DESCRIPTORS.pixelsPerMinute;

describe('RATE_PIXELS_PER_MINUTE', () => {
  it('is off by default, and takes a number for each plan or one for all', () => {
    expect(read(undefined)).toEqual({});
    expect(read(' ')).toEqual({});
    expect(read('free=100, business=5000')).toEqual({ free: 100, business: 5_000 });
    expect(read('7')).toEqual({ free: 7, personal: 7, business: 7, enterprise: 7 });
  });

  it.each(['gold=1', 'free=0', 'free', 'free=1;personal=2', '-1', 'free=1e9'])('refuses %s', (raw) => {
    expect(() => read(raw)).toThrow(/must be plans with a number/);
  });
});
