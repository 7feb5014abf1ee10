import { describe, expect, it } from 'vitest';
import { decisionOf, rateLimitHeaders, WINDOW_MS, type WindowState } from './rate-limit.js';

const START_MS = 1_000 * WINDOW_MS;

/** The state after a request `elapsedMs` into a window. */
function stateAt(
  elapsedMs: number,
  counts: { current: number; previous: number },
  allowed: boolean,
): WindowState {
  return {
    nowMs: START_MS + elapsedMs,
    currentCount: counts.current,
    previousCount: counts.previous,
    allowed,
  };
}

/** The estimated count of the minute that ends at `elapsedMs`, advancing the window as needed. */
function estimate(elapsedMs: number, counts: { current: number; previous: number }): number {
  if (elapsedMs < WINDOW_MS) return counts.current + counts.previous * (1 - elapsedMs / WINDOW_MS);
  if (elapsedMs < 2 * WINDOW_MS) return counts.current * (2 - elapsedMs / WINDOW_MS);
  return 0;
}

describe('decisionOf an allowed request', () => {
  it('counts down from the limit', () => {
    const first = decisionOf(stateAt(0, { current: 1, previous: 0 }, true), 30);
    expect(first).toMatchObject({ allowed: true, limit: 30, remaining: 29, retryAfterSeconds: 0 });
    expect(decisionOf(stateAt(10, { current: 30, previous: 0 }, true), 30).remaining).toBe(0);
  });

  it('counts the share of the previous window that is still within the last minute', () => {
    const half = decisionOf(stateAt(WINDOW_MS / 2, { current: 1, previous: 20 }, true), 30);
    expect(half.remaining).toBe(30 - 1 - 10);
    expect(decisionOf(stateAt(WINDOW_MS - 1, { current: 1, previous: 20 }, true), 30).remaining).toBe(28);
  });

  it('resets fully once no window holds a request', () => {
    const { resetAt } = decisionOf(stateAt(1_500, { current: 1, previous: 0 }, true), 30);
    expect(resetAt).toBe((START_MS + 2 * WINDOW_MS) / 1_000);
  });
});

describe('decisionOf a refused request', () => {
  it('has nothing remaining, and returns a wait', () => {
    const refused = decisionOf(stateAt(0, { current: 30, previous: 0 }, false), 30);
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
  });

  it('returns the shortest wait in whole seconds after which a request is allowed', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return seed % below;
    };
    let checked = 0;
    while (checked < 2_000) {
      const limit = 1 + random(700);
      const counts = { current: random(limit + 1), previous: random(limit + 1) };
      const elapsedMs = random(WINDOW_MS);
      if (estimate(elapsedMs, counts) + 1 <= limit) continue;
      checked += 1;
      const { retryAfterSeconds } = decisionOf(stateAt(elapsedMs, counts, false), limit);
      const waitedMs = elapsedMs + retryAfterSeconds * 1_000;
      // Allows a millionth of a request, because the arithmetic is inexact.
      expect(estimate(waitedMs, counts) + 1, `${limit} ${elapsedMs}`).toBeLessThanOrEqual(limit + 1e-6);
      if (retryAfterSeconds > 1) {
        expect(estimate(waitedMs - 1_000, counts) + 1, `${limit} ${elapsedMs}`).toBeGreaterThan(limit - 1e-6);
      }
    }
  });

  it('still returns a wait for a limit of 0', () => {
    const { retryAfterSeconds, limit } = decisionOf(stateAt(5, { current: 0, previous: 0 }, false), 0);
    expect(limit).toBe(0);
    expect(retryAfterSeconds).toBeGreaterThan(0);
  });
});

describe('rateLimitHeaders', () => {
  const decision = { allowed: true, limit: 30, remaining: 4, resetAt: 1_700_000_000, retryAfterSeconds: 0 };

  it('includes Retry-After only in a refusal', () => {
    expect(rateLimitHeaders(decision)).toEqual({
      'X-RateLimit-Limit': '30',
      'X-RateLimit-Remaining': '4',
      'X-RateLimit-Reset': '1700000000',
    });
    expect(rateLimitHeaders({ ...decision, allowed: false, retryAfterSeconds: 12 })).toMatchObject({
      'Retry-After': '12',
    });
  });
});
