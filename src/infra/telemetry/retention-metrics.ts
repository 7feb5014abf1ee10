import { Gauge } from 'prom-client';
import type { Database, Prepared } from '../database/database.js';
import type { Metrics } from './metrics.js';
import { sharedRead } from './shared-read.js';

const COUNTS: Prepared = {
  name: 'retention_counts',
  text: 'SELECT kind, deleted::float8 AS deleted FROM retention_counts',
};

/**
 * Rows that retention has deleted since the installation, across all dispatchers. Every API process reports the same
 * values.
 */
export class RetentionMetrics {
  constructor({ registry }: Pick<Metrics, 'registry'>, database: Pick<Database, 'query'>) {
    const counts = sharedRead(() => database.query<{ kind: string; deleted: number }>(COUNTS));
    const gauge: Gauge<'kind'> = new Gauge({
      name: 'ies_retention_deleted_rows',
      help: 'Rows deleted after their retention period.',
      labelNames: ['kind'],
      registers: [registry],
      collect: async () => {
        gauge.reset();
        for (const { kind, deleted } of (await counts()) ?? []) gauge.set({ kind }, deleted);
      },
    });
  }
}
