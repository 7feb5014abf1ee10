import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RecentKeys } from './recent-keys.js';

const hash = (name: string): Buffer => Buffer.from(name);

describe('RecentKeys', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('remembers a key for a limited time after it was last added', () => {
    const keys = new RecentKeys(1_000, 10);
    expect(keys.has(hash('a'))).toBe(false);
    keys.add(hash('a'));
    vi.advanceTimersByTime(600);
    keys.add(hash('a'));
    vi.advanceTimersByTime(999);
    expect(keys.has(hash('a'))).toBe(true);
    vi.advanceTimersByTime(1);
    expect(keys.has(hash('a'))).toBe(false);
  });

  it('evicts the oldest key first, and never exceeds its capacity', () => {
    const keys = new RecentKeys(1_000, 3);
    for (const name of ['a', 'b', 'c', 'a', 'd']) keys.add(hash(name));
    expect(['a', 'b', 'c', 'd'].map((name) => keys.has(hash(name)))).toEqual([true, false, true, true]);
    for (let index = 0; index < 100_000; index += 1) keys.add(hash(`key ${index}`));
    expect((keys as unknown as { untilMs: Map<string, number> }).untilMs.size).toBe(3);
  });
});
