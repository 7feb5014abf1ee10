import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** A folder whose disk may fill up. */
export interface MonitoredDisk {
  /** Label of its series, for example `objects`. */
  readonly disk: string;
  readonly freeBytes: () => Promise<number>;
}

/**
 * Free space of the disks that a process writes to, read at each scrape. A disk that cannot be read has no series.
 */
export class DiskMetrics {
  constructor({ registry }: Pick<Metrics, 'registry'>, disks: readonly MonitoredDisk[]) {
    const gauge: Gauge<'disk'> = new Gauge({
      name: 'ies_disk_free_bytes',
      help: 'Bytes that may still be written to a disk.',
      labelNames: ['disk'],
      registers: [registry],
      collect: async () => {
        gauge.reset();
        for (const { disk, freeBytes } of disks) {
          const bytes = await freeBytes().catch(() => undefined);
          if (bytes !== undefined) gauge.set({ disk }, bytes);
        }
      },
    });
  }
}
