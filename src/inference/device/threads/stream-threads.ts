import { availableParallelism } from 'node:os';

/** The requested maximum of streams, and the total number of threads; 0 threads: one for each core. */
export interface StreamOptions {
  readonly threads: number;
  readonly streams: number;
}

/** Divides the CPU: never more streams than threads, and the same number of threads for each stream. */
export function streamThreads({ threads, streams }: StreamOptions): StreamOptions {
  const all = threads || availableParallelism();
  const count = Math.min(streams, all);
  return { streams: count, threads: Math.floor(all / count) };
}
