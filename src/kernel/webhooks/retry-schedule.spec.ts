import { describe, expect, it } from 'vitest';
import { retryAfterMs, retryPauseMs } from './retry-schedule.js';

describe('retryPauseMs', () => {
  const delays = [0, 5_000, 300_000];

  it('is the delay of the step, plus up to 20% of jitter', () => {
    expect([0, 1, 2].map((step) => retryPauseMs(delays, step, 0))).toEqual([0, 5_000, 300_000]);
    expect([0, 1, 2].map((step) => retryPauseMs(delays, step, 1))).toEqual([0, 6_000, 360_000]);
    expect(retryPauseMs(delays, 1, 0.5)).toBe(5_500);
  });

  it('is null at the end of the schedule', () => {
    expect(retryPauseMs(delays, 3, 0)).toBeNull();
  });
});

describe('retryAfterMs', () => {
  const now = Date.parse('2026-11-21T08:00:00Z');

  it.each([
    [undefined, null],
    ['120', 120_000],
    [' 1 ', 1_000],
    ['0', null],
    ['Sat, 21 Nov 2026 08:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 07:59:00 GMT', null],
    ['soon', null],
    ['-5', null],
    ['', null],
    ['999999999999999999999', 86_400_000],
    ['Sat, 21 Nov 2099 08:01:00 GMT', 86_400_000],
  ])('of %j is %j', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});
