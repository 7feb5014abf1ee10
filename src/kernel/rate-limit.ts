/** The outcome of a rate limit check. A refusal is a value; only the HTTP edge turns it into a 429. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  /** Requests per minute. */
  readonly limit: number;
  /** Requests left right now. */
  readonly remaining: number;
  /** Unix seconds at which the full limit is available again if nothing else is sent. */
  readonly resetAt: number;
  /** Seconds to wait before the request is allowed; 0 when allowed. */
  readonly retryAfterSeconds: number;
}

export const WINDOW_MS = 60_000;

/** Counts of a bucket after the request was counted or refused. */
export interface WindowState {
  /** Milliseconds since the epoch at which the decision was made (the database's clock). */
  readonly nowMs: number;
  readonly currentCount: number;
  readonly previousCount: number;
  readonly allowed: boolean;
}

/**
 * The decision of a sliding-window counter: the current window plus the overlapping share of the previous
 * one. Two integers per key, and never more than `limit` requests by that estimate (Cloudflare, "Counting
 * things, a lot of different things").
 */
export function decisionOf(state: WindowState, limit: number, units = 1): RateLimitDecision {
  const windowStartMs = Math.floor(state.nowMs / WINDOW_MS) * WINDOW_MS;
  const elapsed = (state.nowMs - windowStartMs) / WINDOW_MS;
  const used = state.currentCount + state.previousCount * (1 - elapsed);
  const endMs = windowStartMs + (state.currentCount > 0 ? 2 : 1) * WINDOW_MS;
  return {
    allowed: state.allowed,
    limit,
    remaining: state.allowed ? Math.max(0, Math.floor(limit - used)) : 0,
    resetAt: Math.ceil((used > 0 ? endMs : state.nowMs) / 1000),
    retryAfterSeconds: state.allowed ? 0 : secondsUntilFree(state, limit, units, windowStartMs),
  };
}

function secondsUntilFree(state: WindowState, limit: number, units: number, windowStartMs: number): number {
  // In this window: previous × (1 − elapsed) must shrink to limit − units − current; else the same one window
  // later.
  const room = limit - units - state.currentCount;
  const freeAtMs =
    room >= 0 && state.previousCount > 0
      ? windowStartMs + WINDOW_MS * (1 - Math.min(1, room / state.previousCount))
      : windowStartMs + WINDOW_MS * (2 - Math.min(1, (limit - units) / Math.max(1, state.currentCount)));
  return Math.max(1, Math.ceil((freeAtMs - state.nowMs) / 1000));
}

/** The three headers of every response to a valid key, and `Retry-After` of a refusal. */
export function rateLimitHeaders(decision: RateLimitDecision): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(decision.limit),
    'X-RateLimit-Remaining': String(decision.remaining),
    'X-RateLimit-Reset': String(decision.resetAt),
    ...(decision.allowed ? {} : { 'Retry-After': String(decision.retryAfterSeconds) }),
  };
}
