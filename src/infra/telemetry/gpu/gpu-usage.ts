import { execFile } from 'node:child_process';
import { bareEnvironment } from '../../../config/child-environment.js';
import { within } from '../../../kernel/concurrency/within.js';

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

/** GPUs of this machine; undefined: no driver; empty: it failed, or has not responded in time. */
type Answer = readonly GpuUsage[] | undefined;

/** Reads the usage with `nvidia-smi`. Shared, so that at most one such process runs. */
export const readGpuUsage = gpuUsageReader();

/**
 * A driver that hangs may hold its caller in a call that no signal interrupts, so the answer does not wait for the end
 * of the process, and no other process starts before that end.
 * @param query settles when its process has ended
 */
export function gpuUsageReader(
  query: (limitMs: number) => Promise<Answer> = queryDriver,
  patienceMs = TIMEOUT_MS,
): () => Promise<Answer> {
  let current: Promise<Answer> | undefined;
  return () => {
    if (current !== undefined) return current;
    const running = query(patienceMs).finally(() => (current = undefined));
    current = within(patienceMs, running).catch(() => []);
    return current;
  };
}

/**
 * Runs `nvidia-smi`.
 * @param limitMs the process is killed after this time
 */
export function queryDriver(limitMs: number, program = 'nvidia-smi'): Promise<Answer> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [`--query-gpu=${QUERY}`, '--format=csv,noheader,nounits'],
      { timeout: limitMs, killSignal: 'SIGKILL', env: bareEnvironment() },
      (error, stdout) => {
        if (error?.code === 'ENOENT') resolve(undefined);
        else resolve(error === null ? parseGpuUsage(stdout) : []);
      },
    );
    // This process can exit although the child cannot.
    child.unref();
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
