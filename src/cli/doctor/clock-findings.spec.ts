import { describe, expect, it } from 'vitest';
import { clockFindings } from './clock-findings.js';

describe('clockFindings', () => {
  it('has none for clocks that agree', () => {
    expect(clockFindings(-19_000)).toEqual([]);
    expect(clockFindings(19_000)).toEqual([]);
  });

  it('says how far a clock is off, and in which direction', () => {
    const text = (aheadMs: number) => clockFindings(aheadMs).map((finding) => finding.text);
    expect(text(600_400)).toEqual(['the clock of this machine is 600 s ahead of that of the database']);
    expect(text(-45_000)).toEqual(['the clock of this machine is 45 s behind that of the database']);
  });
});
