import { ApiError, ConnectionError, RateLimitError, TimeoutError } from '../errors.js';
import { checkedNumber } from '../numbers.js';
import { isTlsFailure } from './tls-failure.js';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
/**
 * Maximum `Retry-After` that is honored after an error, because a proxy may ask for far more time than a restart takes.
 */
export const MAX_ASKED_MS = 60_000;
/** Base of the jitter that is added to a requested wait. The rate limit counts over a sliding minute. */
const SPREAD_MS = 500;

export interface RetryLimits {
  /**
   * Maximum retries of a request after a broken connection or a server error. 0 also turns off waiting for the rate
   * limit.
   */
  readonly maxRetries: number;
  /** Maximum total wait of one request for the rate limit, milliseconds. */
  readonly maxRateLimitWaitMs: number;
}

/** Decides whether and when one failed request of a call is retried. */
export class RetryBudget {
  private retries = 0;
  private refusals = 0;
  private refusedMs = 0;

  /** @throws ImageEnhancementError `invalid_option` for an invalid limit */
  constructor(
    private readonly limits: RetryLimits,
    private readonly random: () => number = Math.random,
  ) {
    checkedNumber('maxRetries', limits.maxRetries, { min: 0 });
    checkedNumber('maxRateLimitWaitMs', limits.maxRateLimitWaitMs, { min: 0 });
  }

  /**
   * Milliseconds to wait before the retry; null when the error is final.
   * @param isRepeatable whether the request is safe to repeat. If not, it is retried only if the service rejected it
   *   without processing it.
   */
  pauseAfter(error: unknown, isRepeatable: boolean): number | null {
    if (!isPassing(error)) return null;
    if (error instanceof RateLimitError) return this.afterRefusal(error);
    if (!isRepeatable || this.retries >= this.limits.maxRetries) return null;
    this.retries += 1;
    const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
    return asked === null
      ? this.backOff(this.retries)
      : Math.min(asked * 1000, MAX_ASKED_MS) + this.random() * SPREAD_MS;
  }

  /** All rejected clients get the same `Retry-After`. Jitter prevents them from returning at the same time. */
  private afterRefusal(error: RateLimitError): number | null {
    if (this.limits.maxRetries === 0) return null;
    this.refusals += 1;
    const spreadMs = Math.min(SPREAD_MS * 2 ** this.refusals, MAX_PAUSE_MS);
    const askedMs =
      error.retryAfterSeconds === null ? this.backOff(this.refusals) : error.retryAfterSeconds * 1000;
    const pauseMs = askedMs + this.random() * spreadMs;
    if (this.refusedMs + pauseMs > this.limits.maxRateLimitWaitMs) return null;
    this.refusedMs += pauseMs;
    return pauseMs;
  }

  /** Exponential backoff with jitter: between half and all of a value that doubles each time. */
  private backOff(count: number): number {
    const wholeMs = Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), MAX_PAUSE_MS);
    return wholeMs * (0.5 + this.random() / 2);
  }
}

/**
 * Timeout, too early, and too many requests. A proxy sends 425 for a request that arrived before the TLS handshake of
 * its connection was complete. It has not processed the request, and a retry a moment later succeeds.
 */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the same request may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return !isTlsFailure(error);
  if (error instanceof TimeoutError) return true;
  if (!(error instanceof ApiError)) return false;
  // Waiting does not help with a wrong key.
  if (error.code === 'too_many_failed_authentications') return false;
  // The request has succeeded; the job itself has failed.
  if (error.problem.jobId !== undefined) return false;
  if (error.code === 'idempotency_in_progress' || PASSING_STATUSES.has(error.status)) return true;
  return error.status >= 500 && error.status !== 501;
}
