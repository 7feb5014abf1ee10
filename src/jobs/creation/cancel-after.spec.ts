import { describe, expect, it } from 'vitest';
import { cancelSecondsOf, CANCEL_AFTER_PATTERN } from './cancel-after.js';

describe('cancelSecondsOf', () => {
  it.each([
    ['60s', 60],
    ['60', 60],
    ['5', 5],
    ['5m', 300],
    ['1h30m', 5_400],
    ['1h1m1s', 3_661],
    ['168h', 604_800],
  ])('%s is %i s', (text, seconds) => {
    expect(cancelSecondsOf(text)).toBe(seconds);
    expect(text).toMatch(new RegExp(CANCEL_AFTER_PATTERN));
  });

  it.each(['', '0', '4s', '604801', '169h', '1d', '-5s', '1.5m', '5 m', 'm', '30m1h', '60S'])(
    'refuses "%s"',
    (text) => {
      expect(cancelSecondsOf(text)).toBeUndefined();
    },
  );
});
