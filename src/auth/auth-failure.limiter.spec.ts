import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Config } from '../config/env.js';
import type { RateLimitRepository } from '../quotas/rate-limit/rate-limit.repository.js';
import { AuthFailureLimiter } from './auth-failure.limiter.js';

const RETRY_AFTER_SECONDS = 10;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

it('slows an address for the time that the limit says, even if the clock is set back', async () => {
  const take = vi.fn<RateLimitRepository['take']>().mockResolvedValue({
    allowed: false,
    limit: 1,
    remaining: 0,
    resetAt: Math.ceil(Date.now() / 1_000) + RETRY_AFTER_SECONDS,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
  const config = { authFailuresPerMinute: 1 } as Config;
  const limiter = new AuthFailureLimiter({ take } as unknown as RateLimitRepository, config);
  await limiter.count('192.0.2.1');
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(RETRY_AFTER_SECONDS * 1_000 - 1);
  expect(limiter.isSlowed('192.0.2.1')).toBe(true);
  vi.advanceTimersByTime(1);
  expect(limiter.isSlowed('192.0.2.1')).toBe(false);
  expect(limiter.isSlowed('192.0.2.2')).toBe(false);
});
