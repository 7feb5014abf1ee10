import type { Config } from '../../../config/env.js';
import type { TritonOptions } from './triton-engine.js';

/** The inference server of the configuration. */
export function configuredTriton({
  tritonUrls,
  tritonTimeoutMs,
  tritonConcurrency,
}: Pick<Config, 'tritonUrls' | 'tritonTimeoutMs' | 'tritonConcurrency'>): TritonOptions {
  return { urls: tritonUrls, timeoutMs: tritonTimeoutMs, concurrency: tritonConcurrency };
}
