import type { GpuUsage } from '../../infra/telemetry/gpu/gpu-usage.js';

/** Resource use of a worker and of the GPUs of its machine. */
export interface WorkerLoad {
  /** Resident memory of the process. */
  readonly memoryBytes: number;
  readonly gpus: readonly GpuUsage[];
  /** Running jobs; missing in reports of older versions. */
  readonly jobs?: number | undefined;
  /** How many jobs it can run at the same time. */
  readonly concurrency?: number | undefined;
}

/** The jobs of a worker. */
export type JobLoad = Pick<WorkerLoad, 'jobs' | 'concurrency'>;

/** @param readGpus undefined if the worker uses no GPU */
export async function workerLoad(
  readGpus?: () => Promise<readonly GpuUsage[] | undefined>,
  readJobs?: () => JobLoad,
): Promise<WorkerLoad> {
  const gpus = (await readGpus?.()) ?? [];
  return { memoryBytes: process.memoryUsage.rss(), gpus, ...readJobs?.() };
}
