import { availableParallelism } from 'node:os';
import type { ExecutionProvider } from '../../engines/execution-provider.js';

/** The requested maximum of streams, and the total number of threads; 0 threads: one for each core. */
export interface StreamOptions {
  readonly threads: number;
  readonly streams: number;
}

/**
 * The provider of further streams; undefined when the device has only one stream. Two sessions on WebGPU can crash the
 * process, TensorRT would compile every model again, and TensorFlow.js allows one user of a GPU in each process.
 * @param provider of ONNX Runtime, such as `cpu` or `cuda:1`
 * @param others providers of the other engines in use, by engine
 */
export function streamedProvider(
  provider: string,
  others: Readonly<Record<string, string>> = {},
): Extract<ExecutionProvider, 'cpu' | 'cuda'> | undefined {
  if (provider === 'cpu') return 'cpu';
  return /^cuda(?::\d+)?$/.test(provider) && others['tensorflow'] === undefined ? 'cuda' : undefined;
}

/** Divides the CPU: never more streams than threads, and the same number of threads for each stream. */
export function streamThreads({ threads, streams }: StreamOptions): StreamOptions {
  const all = threads || availableParallelism();
  const count = Math.min(streams, all);
  return { streams: count, threads: Math.floor(all / count) };
}
