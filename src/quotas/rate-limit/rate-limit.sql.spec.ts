import { describe, expect, it } from 'vitest';
import { stateAt } from './rate-limit.sql.js';

const NOW_MS = 1_700_000_000_000;

describe('the state of one request among those that were taken together', () => {
  it('counts granted requests up to the total, and refuses the rest', () => {
    const taken = { currentCount: 10, previousCount: 4, granted: 2, nowMs: NOW_MS };
    const states = [0, 1, 2, 3].map((index) => stateAt(taken, index));
    expect(states.map(({ allowed }) => allowed)).toEqual([true, true, false, false]);
    expect(states.map(({ currentCount }) => currentCount)).toEqual([9, 10, 10, 10]);
    expect(states.every(({ previousCount, nowMs }) => previousCount === 4 && nowMs === NOW_MS)).toBe(true);
  });
});
