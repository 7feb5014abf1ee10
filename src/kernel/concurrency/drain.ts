/** The least time for a shutdown: work in progress must be given back and recorded. */
const MIN_DRAIN_MS = 5_000;
/** The rest is for recording outcomes and closing connections. */
const WORK_SHARE = 0.8;

/**
 * After this time a process that is still shutting down exits.
 * @param drainTimeoutMs DRAIN_TIMEOUT_MS
 */
export function shutdownLimitMs(drainTimeoutMs: number): number {
  return Math.max(drainTimeoutMs, MIN_DRAIN_MS);
}

/**
 * After this time of a shutdown, requests and webhook attempts in progress are aborted.
 * @param drainTimeoutMs DRAIN_TIMEOUT_MS
 */
export function abortWorkAfterMs(drainTimeoutMs: number): number {
  return Math.min(drainTimeoutMs, shutdownLimitMs(drainTimeoutMs) * WORK_SHARE);
}
