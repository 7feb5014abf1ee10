import { abortedError } from './throw-if-aborted.js';

/** The maximum delay of a timer. A timer with a longer delay fires immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits. @throws AbortedError as soon as the signal is aborted */
export function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortedError(signal));
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(abortedError(signal!));
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(durationMs, MAX_TIMER_MS),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
