import { createHash, timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { VERSION } from '../../kernel/version.js';

/** What one process measures of itself, in the text format that Prometheus reads. */
export class Metrics {
  readonly registry = new Registry();
  private measuresProcess = false;

  /** @param role stands on every series, so that processes on one host can be told apart */
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

  /** Every metric as of now. Memory, collections and event loop are measured from the first call on. */
  text(): Promise<string> {
    if (!this.measuresProcess) collectDefaultMetrics({ register: this.registry });
    this.measuresProcess = true;
    return this.registry.metrics();
  }
}

/**
 * Whether a request may read metrics: whoever sends the token, and anybody where none is set.
 * @param authorization the header, `Bearer …`
 */
export function mayReadMetrics(token: string | undefined, authorization: string | undefined): boolean {
  if (token === undefined) return true;
  // Hashes, since only texts of one length can be compared in constant time.
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ''));
}
