import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 15;

/** Polls until `isDone` returns true. Returns false after `timeoutMs`. */
export async function waitUntil(isDone: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!isDone()) {
    if (performance.now() >= deadlineMs) return false;
    await sleep(POLL_MS);
  }
  return true;
}
