import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../command-line.mjs';
import { expiryOf, instantAfterNow, networksOption, spanAfterNow } from './key-options.js';

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2030-01-01T00:00:00Z'), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

describe('an expiry', () => {
  it.each([
    ['30m', '2030-01-01T00:30:00.000Z'],
    ['12h', '2030-01-01T12:00:00.000Z'],
    ['90d', '2030-04-01T00:00:00.000Z'],
    ['2w', '2030-01-15T00:00:00.000Z'],
  ])('in %s is %s', (text, end) => {
    expect(spanAfterNow('--expires-in')(text).toISOString()).toBe(end);
  });

  it('may be a date', () => {
    expect(instantAfterNow('--expires-at')('2031-02-03').toISOString()).toBe('2031-02-03T00:00:00.000Z');
  });

  it.each(['90', '0d', 'soon', '-1d', ''])('cannot be in %j', (text) => {
    expect(() => spanAfterNow('--expires-in')(text)).toThrow(UsageError);
  });

  it.each(['soon', '2029-12-31', '2030-01-01T00:00:00Z', ''])('cannot be at %j', (text) => {
    expect(() => instantAfterNow('--expires-at')(text)).toThrow(UsageError);
  });

  it('is given at most once', () => {
    const date = new Date();
    expect(expiryOf({})).toBeNull();
    expect(expiryOf({ expiresIn: date })).toBe(date);
    expect(expiryOf({ expires: date })).toBe(date);
    expect(() => expiryOf({ expiresIn: date, expiresAt: date })).toThrow(UsageError);
  });
});

describe('networksOption', () => {
  it('reads addresses and networks, without duplicates', () => {
    expect(networksOption('192.0.2.7, 10.1.2.3/8,10.0.0.0/8,2001:db8::/32')).toEqual([
      '192.0.2.7/32',
      '10.0.0.0/8',
      '2001:db8::/32',
    ]);
  });

  it.each(['office', '10.0.0.0/33', '192.0.2.7,', ''])('refuses %j', (text) => {
    expect(() => networksOption(text)).toThrow(/"[^"]*" is neither/);
  });
});
