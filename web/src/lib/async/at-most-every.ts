import { oneAtATime } from './one-at-a-time.js';

/**
 * Limits work to once every `ms` milliseconds. The first call runs it immediately. Calls that come too early are
 * combined into one at the end of the interval.
 */
export function atMostEvery(ms: number, work: () => Promise<unknown>): () => void {
  return oneAtATime(async () => {
    const isOver = new Promise((resolve) => setTimeout(resolve, ms));
    await Promise.allSettled([work(), isOver]);
  });
}
