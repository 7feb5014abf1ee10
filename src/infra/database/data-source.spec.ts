import { describe, expect, it } from 'vitest';
import { MIGRATION_NAMES } from './data-source.js';

describe('MIGRATION_NAMES', () => {
  it('is in chronological order, which is the order of execution', () => {
    const times = MIGRATION_NAMES.map((name) => Number(/\d{13}$/.exec(name)![0]));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});
