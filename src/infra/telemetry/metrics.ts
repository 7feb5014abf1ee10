import { createHash, timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { VERSION } from '../../kernel/version.js';

/** The metrics of one process, in the text format of Prometheus. */
export class Metrics {
  readonly registry = new Registry();
  private measuresProcess = false;

  /** @param role a label on every series, to distinguish processes on one host */
  constructor(role: string) {
    this.registry.setDefaultLabels({ role });
    new Gauge({
      name: 'ies_build_info',
      help: '1 for the version that runs.',
      labelNames: ['version'],
      registers: [this.registry],
    }).set({ version: VERSION }, 1);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /**
   * The current value of every metric. Starts to measure memory, garbage collection, and event loop at the first call.
   */
  text(): Promise<string> {
    if (!this.measuresProcess) collectDefaultMetrics({ register: this.registry });
    this.measuresProcess = true;
    return this.registry.metrics();
  }
}

/**
 * Whether a request may read metrics: with the token, or without one if none is configured.
 * @param authorization the header, `Bearer …`
 */
export function mayReadMetrics(token: string | undefined, authorization: string | undefined): boolean {
  if (token === undefined) return true;
  // Compares hashes, because only values of equal length can be compared in constant time.
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ''));
}
