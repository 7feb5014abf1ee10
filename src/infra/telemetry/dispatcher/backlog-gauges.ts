import { Gauge } from 'prom-client';
import type { Metrics } from '../metrics.js';
import { sharedRead } from '../shared-read.js';

/** A gauge that shows one number of a backlog. */
interface BacklogGauge<Backlog> {
  readonly name: string;
  readonly help: string;
  readonly value: (backlog: Backlog) => number;
}

/**
 * Adds gauges of a backlog in the database.
 * @param read called once at each scrape, for all gauges; every dispatcher reports the same values
 */
export function addBacklogGauges<Backlog>(
  registry: Metrics['registry'],
  read: () => Promise<Backlog>,
  gauges: readonly BacklogGauge<Backlog>[],
): void {
  const backlog = sharedRead(read);
  for (const { name, help, value } of gauges) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: async () => {
        const now = await backlog();
        // Without a response from the database, the series is removed, because its value would be outdated.
        if (now === undefined) gauge.remove();
        else gauge.set(value(now));
      },
    });
  }
}
