import { ApiError, ConnectionError } from 'image-enhancement-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isGone, isRefused, problemOf } from './problem.js';

const refusal = (retryAfterSeconds: number | null, problem = {}) =>
  new ApiError({ status: 429, requestId: null, problem, retryAfterSeconds });

describe('problemOf', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('counts the wait of each refusal from when it was first shown', () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const first = refusal(7);
    expect(problemOf(first).retryAtMs).toBe(1_007_000);
    vi.setSystemTime(1_003_000);
    expect(problemOf(first).retryAtMs).toBe(1_007_000);
    expect(problemOf(refusal(7)).retryAtMs).toBe(1_010_000);
    expect(problemOf(refusal(null)).retryAtMs).toBeNull();
  });

  it('uses the text of the service, or its own if there is none', () => {
    expect(problemOf(refusal(null, { title: 'Slow down', detail: 'Wait.' }))).toMatchObject({
      title: 'Slow down',
      detail: 'Wait.',
    });
    expect(problemOf(refusal(null)).detail).toContain('429');
    expect(problemOf(new ConnectionError('http://x: ECONNREFUSED')).title).toBe("Can't reach the service");
    expect(problemOf(new Error('broken')).detail).toBe('broken');
  });
});

const answerOf = (status: number) =>
  new ApiError({ status, requestId: null, problem: {}, retryAfterSeconds: null });

describe('isGone', () => {
  it('is true only if something no longer exists, because other errors may hide an earlier success', () => {
    expect([404, 410].map((status) => isGone(answerOf(status)))).toEqual([true, true]);
    const others = [400, 401, 403, 409, 422, 429, 502].map(answerOf);
    expect([...others, new ConnectionError('http://x: ECONNRESET')].some(isGone)).toBe(false);
  });
});

describe('isRefused', () => {
  it('is true only if repeating the request is useless', () => {
    expect([401, 404, 410].map((status) => isRefused(answerOf(status)))).toEqual([true, true, true]);
    expect([429, 502].map((status) => isRefused(answerOf(status)))).toEqual([false, false]);
    expect(isRefused(new ConnectionError('http://x: ECONNRESET'))).toBe(false);
  });
});
