import { describe, expect, it } from 'vitest';
import { dayData, keysByUse } from './chart-data.js';

const key = (name: string, ...enhancements: number[]) => ({ id: name, name, enhancements });
const history = (...keys: ReturnType<typeof key>[]) => ({
  days: ['2026-11-20', '2026-11-21'],
  enhancements: [0, 0],
  storageBytes: [0, 0],
  keys,
});

describe('dayData', () => {
  it('stacks keys, the most used first, and leaves unused ones out', () => {
    const { series, days } = dayData(history(key('quiet', 0, 0), key('some', 1, 0), key('most', 2, 5)));
    expect(series.map(({ name }) => name)).toEqual(['most', 'some']);
    expect(days).toEqual([
      { day: 'Nov 20', most: 2, some: 1 },
      { day: 'Nov 21', most: 5, some: 0 },
    ]);
  });

  it('distinguishes keys of the same name, and counts both', () => {
    const { series, days } = dayData(history(key('shop', 3, 0), key('shop', 1, 1)));
    expect(series.map(({ name }) => name)).toEqual(['shop', 'shop (2)']);
    expect(days[1]).toEqual({ day: 'Nov 21', shop: 0, 'shop (2)': 1 });
  });

  it('adds up the keys past the fourth', () => {
    const keys = [6, 5, 4, 3, 2, 1].map((count) => key(`key ${count}`, count, 0));
    const { series, days } = dayData(history(...keys));
    expect(series.at(-1)?.name).toBe('Other keys');
    expect(days[0]).toMatchObject({ 'key 6': 6, 'Other keys': 3 });
  });

  it('is empty where nothing was used', () => {
    expect(dayData(history(key('quiet', 0, 0))).series).toEqual([]);
    expect(keysByUse(history(key('quiet', 0, 0)))).toEqual([]);
  });
});
