import { oneAtATime } from './one-at-a-time.js';

/**
 * Keeps a piece of work from being done more often than every `ms` milliseconds: the first call does it at once, those
 * that come too early are made up for by one at the end of that time.
 */
export function atMostEvery(ms: number, work: () => Promise<unknown>): () => void {
  return oneAtATime(async () => {
    const isOver = new Promise((resolve) => setTimeout(resolve, ms));
    await Promise.allSettled([work(), isOver]);
  });
}
