import { Gauge } from 'prom-client';
import { type GpuUsage, readGpuUsage } from './gpu-usage.js';
import type { Metrics } from '../metrics.js';
import { sharedRead } from '../shared-read.js';

/** Minimum time between two driver queries, however many scrapes there are. */
const FRESH_MS = 5_000;
/** Time limit of a query. Generous, because `nvidia-smi` takes longer when no process keeps the driver loaded. */
const PATIENCE_MS = 5_000;

const FIGURES = {
  memoryUsedBytes: ['ies_gpu_memory_used_bytes', 'GPU memory in use, by all processes.'],
  memoryTotalBytes: ['ies_gpu_memory_total_bytes', 'GPU memory.'],
  utilization: [
    'ies_gpu_utilization_ratio',
    'Part of the time in which the GPU ran at least one kernel, 0 to 1.',
  ],
} as const;

/**
 * Memory and utilization of the GPUs of this machine, across all processes: with several workers on one machine, use
 * the maximum. Without `nvidia-smi` there are no series, and it is not run again. After it failed, the series are
 * missing until it succeeds.
 */
export class GpuMetrics {
  private usage: readonly GpuUsage[] | undefined = [];
  private readMs = Number.NEGATIVE_INFINITY;

  constructor(
    { registry }: Pick<Metrics, 'registry'>,
    private readonly read: () => Promise<readonly GpuUsage[] | undefined> = readGpuUsage,
  ) {
    const fresh = sharedRead(() => this.fresh(), PATIENCE_MS);
    for (const [figure, [name, help]] of Object.entries(FIGURES)) {
      const gauge: Gauge<'gpu' | 'name'> = new Gauge({
        name,
        help,
        labelNames: ['gpu', 'name'],
        registers: [registry],
        collect: async () => {
          gauge.reset();
          for (const usage of (await fresh()) ?? []) {
            const value = usage[figure as keyof typeof FIGURES];
            if (value !== undefined) gauge.set({ gpu: usage.gpu, name: usage.name }, value);
          }
        },
      });
    }
  }

  private async fresh(): Promise<readonly GpuUsage[] | undefined> {
    if (this.usage !== undefined && performance.now() - this.readMs > FRESH_MS) {
      this.usage = await this.read();
      this.readMs = performance.now();
    }
    return this.usage;
  }
}
