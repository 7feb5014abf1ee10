import type { Metrics } from '../metrics.js';
import { addBacklogGauges } from './backlog-gauges.js';

/** Objects that should be deleted and cannot be. */
export class ErasureMetrics {
  /** @param stuck read at each scrape; every dispatcher reports the same value */
  constructor({ registry }: Pick<Metrics, 'registry'>, stuck: () => Promise<number>) {
    addBacklogGauges(registry, stuck, [
      {
        name: 'ies_object_erasures_stuck',
        help: 'Objects that could not be deleted although the store is available, and that wait for the next attempt.',
        value: (count) => count,
      },
    ]);
  }
}
