import { describe, expect, it } from 'vitest';
import { CUSTOM, dayFault, expiresAt } from './expiry.js';

const NOW = new Date('2026-11-23T12:00:00').getTime();

describe('the expiry of a key', () => {
  it('is never, or some days from now', () => {
    expect(expiresAt('never', '', NOW)).toBeNull();
    expect(expiresAt('30', '', NOW)).toBe(new Date(NOW + 30 * 86_400_000).toISOString());
  });

  it('is the end of a chosen day in the time zone of the reader', () => {
    expect(expiresAt(CUSTOM, '2026-12-31', NOW)).toBe(new Date('2026-12-31T23:59:59').toISOString());
  });

  it.each([
    ['', 'Choose a date.'],
    ['2026-02-31x', 'Choose a date.'],
    ['2026-11-22', 'Choose today or a later date.'],
    ['2026-11-23', undefined],
    ['2026-11-24', undefined],
  ])('may be a day that is not over: "%s"', (day, fault) => {
    expect(dayFault(day, NOW)).toBe(fault);
  });
});
