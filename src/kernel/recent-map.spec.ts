import { describe, expect, it } from 'vitest';
import { RecentMap } from './recent-map.js';

describe('a map of recent entries', () => {
  it('evicts the least recently used entry', () => {
    const map = new RecentMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  });

  it('replaces and deletes entries', () => {
    const map = new RecentMap<number>(2);
    map.set('a', 1);
    map.set('a', 2);
    map.set('b', 3);
    expect(map.get('a')).toBe(2);
    map.delete('a');
    expect([map.get('a'), map.get('b')]).toEqual([undefined, 3]);
  });
});
