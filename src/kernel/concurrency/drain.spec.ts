import { describe, expect, it } from 'vitest';
import { abortWorkAfterMs, shutdownLimitMs } from './drain.js';

describe('a shutdown', () => {
  it.each([
    { drainTimeoutMs: 0, abortMs: 0, limitMs: 5_000 },
    { drainTimeoutMs: 1_000, abortMs: 1_000, limitMs: 5_000 },
    { drainTimeoutMs: 5_000, abortMs: 4_000, limitMs: 5_000 },
    { drainTimeoutMs: 25_000, abortMs: 20_000, limitMs: 25_000 },
  ])('within $drainTimeoutMs ms leaves time to record aborted work', (expected) => {
    const { drainTimeoutMs, abortMs, limitMs } = expected;
    expect(abortWorkAfterMs(drainTimeoutMs)).toBe(abortMs);
    expect(shutdownLimitMs(drainTimeoutMs)).toBe(limitMs);
  });
});
