import type { GpuUsage } from '../../infra/telemetry/gpu-usage.js';

/** What a worker and the GPUs of its machine use. */
export interface WorkerLoad {
  /** Resident memory of the process. */
  readonly memoryBytes: number;
  readonly gpus: readonly GpuUsage[];
}

/** @param readGpus undefined: the worker uses no GPU */
export async function workerLoad(
  readGpus?: () => Promise<readonly GpuUsage[] | undefined>,
): Promise<WorkerLoad> {
  return { memoryBytes: process.memoryUsage.rss(), gpus: (await readGpus?.()) ?? [] };
}
