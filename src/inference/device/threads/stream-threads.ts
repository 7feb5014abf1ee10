import { availableParallelism } from 'node:os';

/** What is asked for: at most so many streams, and threads together; 0 threads = one for each core. */
export interface StreamOptions {
  readonly threads: number;
  readonly streams: number;
}

/** Divides the CPU: never more streams than threads, all with the same number of threads. */
export function streamThreads({ threads, streams }: StreamOptions): StreamOptions {
  const all = threads || availableParallelism();
  const count = Math.min(streams, all);
  return { streams: count, threads: Math.floor(all / count) };
}
