/** Share of a delay that is added at random, so that failed requests do not retry at the same moment. */
const JITTER = 0.2;

/**
 * The delay before an attempt.
 * @param delaysMs the delay before each attempt, including the first
 * @param step index of the attempt, from 0
 * @param random from 0 to 1
 * @returns milliseconds; null when the schedule has no such attempt
 */
export function retryPauseMs(delaysMs: readonly number[], step: number, random: number): number | null {
  const delayMs = delaysMs[step];
  return delayMs === undefined ? null : Math.round(delayMs * (1 + JITTER * random));
}

/** Longer `Retry-After` values are capped. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/**
 * Reads a `Retry-After` header (RFC 9110 §10.2.3): seconds, or a date.
 * @returns milliseconds from now, at most a day; null when missing or invalid
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  // A date in the past, or no date.
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}
