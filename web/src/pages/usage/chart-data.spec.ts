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
    expect(series.map(({ name, label }) => [name, label])).toEqual([
      ['key0', 'most'],
      ['key1', 'some'],
    ]);
    expect(days).toEqual([
      { day: 'Nov 20', key0: 2, key1: 1 },
      { day: 'Nov 21', key0: 5, key1: 0 },
    ]);
  });

  it('distinguishes keys of the same name, and counts both', () => {
    const { series, days } = dayData(history(key('shop', 3, 0), key('shop', 1, 1)));
    expect(series.map(({ label }) => label)).toEqual(['shop', 'shop (2)']);
    expect(days[1]).toEqual({ day: 'Nov 21', key0: 0, key1: 1 });
  });

  it('adds up the keys past the fourth', () => {
    const keys = [6, 5, 4, 3, 2, 1].map((count) => key(`key ${count}`, count, 0));
    const { series, days } = dayData(history(...keys));
    expect(series.at(-1)).toMatchObject({ name: 'rest', label: 'Other keys' });
    expect(days[0]).toMatchObject({ key0: 6, rest: 3 });
  });

  it('shows the days for a key of any name', () => {
    const { days } = dayData(history(key('day', 2, 5)));
    expect(days.map(({ day }) => day)).toEqual(['Nov 20', 'Nov 21']);
  });

  it('is empty where nothing was used', () => {
    expect(dayData(history(key('quiet', 0, 0))).series).toEqual([]);
    expect(keysByUse(history(key('quiet', 0, 0)))).toEqual([]);
  });
});
