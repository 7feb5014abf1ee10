import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

const labelNames = ['operation', 'version'] as const;

/** Model versions that need an operator, as listed by `/health/models`. Every API process reports the same values. */
export class ModelMetrics {
  private readonly refusals: Gauge<(typeof labelNames)[number]>;

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    this.refusals = new Gauge({
      name: 'ies_model_refusals',
      help: '1 for each model version that is refused, or that runs from memory because its files are damaged or removed.',
      labelNames,
      registers: [registry],
    });
  }

  set(refusals: readonly { readonly operation: string; readonly version: string }[]): void {
    this.refusals.reset();
    for (const { operation, version } of refusals) this.refusals.set({ operation, version }, 1);
  }
}
