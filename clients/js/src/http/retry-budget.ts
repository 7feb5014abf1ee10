import { ApiError, ConnectionError, RateLimitError, TimeoutError } from '../errors.js';
import { checkedNumber } from '../numbers.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** What a proxy in maintenance may ask for, of a service that is back in a minute. */
export const LONGEST_ASKED_MS = 60_000;
/** Of what the service asks for after a request too many; it counts in sliding minutes. */
const SPREAD_MS = 500;

export interface RetryLimits {
  /** How many times a request is sent again after a broken connection or a server error. 0 also turns off waiting for the rate limit. */
  readonly maxRetries: number;
  /** Total wait of one request for the rate limit, milliseconds. */
  readonly maxRateLimitWaitMs: number;
}

/** Decides for one request of a call whether, and when, it is sent again after it has failed. */
export class RetryBudget {
  private retries = 0;
  private refusals = 0;
  private refusedMs = 0;

  /** @throws ImageEnhancementError `invalid_option` for a limit that is none */
  constructor(
    private readonly limits: RetryLimits,
    private readonly random: () => number = Math.random,
  ) {
    checkedNumber('maxRetries', limits.maxRetries, { min: 0 });
    checkedNumber('maxRateLimitWaitMs', limits.maxRateLimitWaitMs, { min: 0 });
  }

  /**
   * Milliseconds to wait before sending it again; null when the error stands.
   * @param isRepeatable whether sending it twice does the same as sending it once. If not, only a refusal to
   *   even look at it makes another try safe.
   */
  pauseAfter(error: unknown, isRepeatable: boolean): number | null {
    if (!isPassing(error)) return null;
    if (error instanceof RateLimitError) return this.afterRefusal(error);
    if (!isRepeatable || this.retries >= this.limits.maxRetries) return null;
    this.retries += 1;
    const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
    return asked === null
      ? this.backOff(this.retries)
      : Math.min(asked * 1000, LONGEST_ASKED_MS) + this.random() * SPREAD_MS;
  }

  /** All refused clients get the same `Retry-After`; jitter keeps them from returning at the same moment. */
  private afterRefusal(error: RateLimitError): number | null {
    if (this.limits.maxRetries === 0) return null;
    this.refusals += 1;
    const spreadMs = Math.min(SPREAD_MS * 2 ** this.refusals, LONGEST_PAUSE_MS);
    const askedMs =
      error.retryAfterSeconds === null ? this.backOff(this.refusals) : error.retryAfterSeconds * 1000;
    const pauseMs = askedMs + this.random() * spreadMs;
    if (this.refusedMs + pauseMs > this.limits.maxRateLimitWaitMs) return null;
    this.refusedMs += pauseMs;
    return pauseMs;
  }

  /** Doubles each time; between half of it and the whole. */
  private backOff(count: number): number {
    const wholeMs = Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), LONGEST_PAUSE_MS);
    return wholeMs * (0.5 + this.random() / 2);
  }
}

/**
 * Too slow, too early, too many. 425 comes from a proxy that was handed the request before the handshake of the
 * connection behind it was over: it did nothing with it, and a moment later there is nothing to wait for any more.
 */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the very same request may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  if (!(error instanceof ApiError)) return false;
  // Waiting does not make a wrong key right.
  if (error.code === 'too_many_failed_authentications') return false;
  // The job has failed, and the request did what it was for.
  if (error.problem.jobId !== undefined) return false;
  if (error.code === 'idempotency_in_progress' || PASSING_STATUSES.has(error.status)) return true;
  return error.status >= 500 && error.status !== 501;
}
