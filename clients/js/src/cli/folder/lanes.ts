import { throwIfAborted } from '../../http/throw-if-aborted.js';

/** Processes every item, several at a time. After the first error, waits for items in progress and starts no others. */
export async function runLanes<T>(
  items: readonly T[],
  concurrency: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  let failure: { readonly error: unknown } | undefined;
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      if (failure !== undefined || signal.aborted) return;
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane));
  throwIfAborted(signal);
  if (failure !== undefined) throw failure.error;
}
