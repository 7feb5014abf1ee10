import { beforeEach, describe, expect, it } from 'vitest';
import { DueTimes } from './due-times.js';

describe('DueTimes', () => {
  let dues: DueTimes;

  beforeEach(() => {
    dues = new DueTimes();
    dues.ran('stage', 2, 20);
  });

  it('is when the work would be done alone', () => {
    expect(dues.of('stage', 5, 'a', 1000)).toBe(1050);
    expect(dues.of('unknown', 5, 'b', 1000)).toBe(1000);
  });

  it('puts the jobs of one owner one behind the other, those of several beside each other', () => {
    expect([1, 2, 3].map(() => dues.of('stage', 1, 'a', 1000))).toEqual([1010, 1020, 1030]);
    expect(dues.of('stage', 1, 'b', 1000)).toBe(1010);
    expect(dues.of('stage', 1, undefined, 1000)).toBe(1010);
    expect(dues.of('stage', 1, undefined, 1000)).toBe(1010);
  });

  it('holds nobody to what is past', () => {
    dues.of('stage', 1, 'a', 1000);
    expect(dues.of('stage', 1, 'a', 2000)).toBe(2010);
  });

  it('lets a small job overtake a large one that has just begun, and none that has waited its time', () => {
    const large = dues.of('stage', 100, 'a', 0);
    expect(dues.of('stage', 2, 'b', 10)).toBeLessThan(large);
    expect(dues.of('stage', 2, 'b', 1000)).toBeGreaterThan(large);
  });

  it('follows how long a stage takes', () => {
    for (let run = 0; run < 50; run++) dues.ran('stage', 4, 120);
    expect(dues.of('stage', 1, 'a', 0)).toBeCloseTo(30, 1);
  });
});
