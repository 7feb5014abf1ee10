/** Up to this share of a pause is added at random, so that what failed together does not come back together. */
const JITTER = 0.2;

/**
 * How long to wait before an attempt.
 * @param delaysMs the pause before each attempt, the first included
 * @param step which attempt, from 0 on
 * @param random from 0 to 1
 * @returns milliseconds; null when the schedule has no such attempt
 */
export function retryPauseMs(delaysMs: readonly number[], step: number, random: number): number | null {
  const delayMs = delaysMs[step];
  return delayMs === undefined ? null : Math.round(delayMs * (1 + JITTER * random));
}

/** Nobody is believed who wants to be left alone for longer. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/**
 * Reads a `Retry-After` header (RFC 9110 §10.2.3): seconds, or a date.
 * @returns milliseconds from now, at most a day; null when there is none or it makes no sense
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  // A date in the past, or what is no date.
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}
