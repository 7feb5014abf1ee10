import { execFile } from 'node:child_process';
import { bareEnvironment } from '../../config/child-environment.js';

/** One NVIDIA GPU as described by its driver. Values that the driver does not know are undefined. */
export interface GpuUsage {
  readonly gpu: string;
  readonly name: string;
  readonly memoryUsedBytes: number | undefined;
  readonly memoryTotalBytes: number | undefined;
  /** Share of the last sample period in which at least one kernel ran, 0–1. Unknown for a MIG slice. */
  readonly utilization: number | undefined;
}

const QUERY = 'index,name,memory.used,memory.total,utilization.gpu';
const TIMEOUT_MS = 5_000;
const MEBIBYTE = 2 ** 20;

/** Runs `nvidia-smi`. @returns undefined when it is missing; no GPUs when it fails or does not respond in time */
export function readGpuUsage(program = 'nvidia-smi'): Promise<readonly GpuUsage[] | undefined> {
  return new Promise((resolve) => {
    execFile(
      program,
      [`--query-gpu=${QUERY}`, '--format=csv,noheader,nounits'],
      { timeout: TIMEOUT_MS, env: bareEnvironment() },
      (error, stdout) => {
        if (error?.code === 'ENOENT') resolve(undefined);
        else resolve(error === null ? parseGpuUsage(stdout) : []);
      },
    );
  });
}

/** @param text lines such as `0, NVIDIA H200, 1024, 143771, 37`; memory in MiB, `[N/A]` for unknown values */
export function parseGpuUsage(text: string): readonly GpuUsage[] {
  return text
    .split('\n')
    .map((line) => line.split(',').map((part) => part.trim()))
    .filter((parts) => parts.length === QUERY.split(',').length)
    .map(([gpu, name, used, total, utilization]) => ({
      gpu: gpu!,
      name: name!,
      memoryUsedBytes: scaled(used!, MEBIBYTE),
      memoryTotalBytes: scaled(total!, MEBIBYTE),
      utilization: scaled(utilization!, 1 / 100),
    }));
}

function scaled(text: string, factor: number): number | undefined {
  const value = Number(text);
  return text === '' || Number.isNaN(value) ? undefined : value * factor;
}
