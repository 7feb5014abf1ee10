import { oneAtATime } from './one-at-a-time.js';

/**
 * Limits work to once every `ms` milliseconds. The first call runs it immediately. Calls that come too early are
 * combined into one at the end of the interval.
 * @param isRepeatable see `oneAtATime`
 */
export function atMostEvery(
  ms: number,
  work: () => Promise<unknown>,
  isRepeatable?: (error: unknown) => boolean,
): () => void {
  return oneAtATime(async () => {
    const isOver = new Promise((resolve) => setTimeout(resolve, ms));
    const [outcome] = await Promise.allSettled([work(), isOver]);
    if (outcome.status === 'rejected') throw outcome.reason;
  }, isRepeatable);
}
