import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryWhileOptions {
  /** Whether a repetition may succeed after this error. */
  readonly isTransient: (error: unknown) => boolean;
  readonly pauseMs: number;
  /** After this time, the next error is thrown. */
  readonly limitMs: number;
  /** Ends a pause. */
  readonly signal?: AbortSignal;
}

/** Repeats `work` while it fails for a reason that passes. @throws the last error of `work`; AbortError */
export async function retryWhile<T>(
  { isTransient, pauseMs, limitMs, signal }: RetryWhileOptions,
  work: () => Promise<T>,
): Promise<T> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() >= endMs) throw error;
      await sleep(pauseMs, undefined, signal && { signal });
    }
  }
}
