import { describe, expect, it } from 'vitest';
import { clockDifference } from './clock-difference.js';

describe('clockDifference', () => {
  it('is undefined for clocks that agree', () => {
    expect(clockDifference(-19_000)).toBeUndefined();
    expect(clockDifference(19_000)).toBeUndefined();
  });

  it('says how far a clock is off, and in which direction', () => {
    expect(clockDifference(600_400)).toBe('the clock of this machine is 600 s ahead of that of the database');
    expect(clockDifference(-45_000)).toBe('the clock of this machine is 45 s behind that of the database');
  });
});
