/** The longest that timers can count; what is longer they end at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits. @throws the signal's reason as soon as it is aborted */
export function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(durationMs, LONGEST_TIMER_MS),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
