import { describe, expect, it } from 'vitest';
import { periodEnd, quotaPeriod } from './clock.js';

describe('quotaPeriod', () => {
  it.each([
    ['2026-11-01T00:00:00.000Z', '2026-11'],
    ['2026-11-30T23:59:59.999Z', '2026-11'],
    ['2026-12-01T00:00:00.000Z', '2026-12'],
    ['2026-12-31T23:59:59.999Z', '2026-12'],
    ['2027-01-01T00:00:00.000Z', '2027-01'],
    // Still November in UTC, but already December in Berlin.
    ['2026-12-01T00:30:00.000+01:00', '2026-11'],
    ['2024-02-29T12:00:00.000Z', '2024-02'],
  ])('%s counts toward %s', (time, period) => {
    expect(quotaPeriod(Date.parse(time))).toBe(period);
  });
});

describe('periodEnd', () => {
  it.each([
    ['2026-11', '2026-12-01T00:00:00.000Z'],
    ['2026-12', '2027-01-01T00:00:00.000Z'],
    ['2024-02', '2024-03-01T00:00:00.000Z'],
    ['2026-01', '2026-02-01T00:00:00.000Z'],
  ])('of %s is %s', (period, end) => {
    expect(periodEnd(period).toISOString()).toBe(end);
  });

  it('is the first instant of the next period, right after the last one of this period', () => {
    for (let month = 0; month < 24; month += 1) {
      const period = quotaPeriod(Date.UTC(2026, month, 15));
      const endMs = periodEnd(period).getTime();
      expect(quotaPeriod(endMs - 1)).toBe(period);
      expect(quotaPeriod(endMs)).toBe(quotaPeriod(Date.UTC(2026, month + 1, 15)));
    }
  });
});
