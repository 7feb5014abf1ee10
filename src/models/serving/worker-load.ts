import type { GpuUsage } from '../../infra/telemetry/gpu-usage.js';

/** Resource use of a worker and of the GPUs of its machine. */
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
