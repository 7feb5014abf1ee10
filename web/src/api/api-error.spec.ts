import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, problemOf, unreachable } from './api-error.js';

describe('ApiError', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('knows when it can work again from when it was heard of, each refusal anew', () => {
    vi.useFakeTimers({ now: 1_000_000 });
    expect(new ApiError(problemOf(429, ''), 7).retryAtMs).toBe(1_007_000);
    vi.setSystemTime(1_060_000);
    expect(new ApiError(problemOf(429, ''), 7).retryAtMs).toBe(1_067_000);
    expect(unreachable().retryAtMs).toBeNull();
  });
});
