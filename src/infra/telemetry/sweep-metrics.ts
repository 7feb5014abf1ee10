import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from './metrics.js';

/** What a round returns that did nothing, because it was not due or was refused. It is not counted. */
export const SKIPPED = Symbol('skipped');

/** The periodic work of a dispatcher. */
export class SweepMetrics {
  private readonly runs: Counter<'sweep' | 'end'>;
  private readonly seconds: Histogram<'sweep'>;
  private readonly lastSuccess: Gauge<'sweep'>;

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    const registers = [registry];
    this.runs = new Counter({
      name: 'ies_sweep_runs_total',
      help: 'Rounds of each sweep, by outcome.',
      labelNames: ['sweep', 'end'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'ies_sweep_seconds',
      help: 'Time of one round.',
      labelNames: ['sweep'],
      buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300],
      registers,
    });
    this.lastSuccess = new Gauge({
      name: 'ies_sweep_last_success_timestamp_seconds',
      help: 'When the last round without an error ended; until then, when the process started (Unix time).',
      labelNames: ['sweep'],
      registers,
    });
  }

  /**
   * Returns `work` with each of its rounds measured. The time of the last success starts as the current time, so that
   * alerts also find a sweep that never succeeds.
   * @param sweep a constant name, for example `jobs`
   */
  measured(
    sweep: string,
    work: (signal: AbortSignal) => Promise<unknown>,
  ): (signal: AbortSignal) => Promise<void> {
    this.lastSuccess.set({ sweep }, Date.now() / 1_000);
    return (signal) => this.measure(sweep, () => work(signal));
  }

  private async measure(sweep: string, work: () => Promise<unknown>): Promise<void> {
    const startedMs = performance.now();
    const finish = (end: 'done' | 'failed'): void => {
      this.runs.inc({ sweep, end });
      this.seconds.observe({ sweep }, (performance.now() - startedMs) / 1_000);
    };
    try {
      if ((await work()) === SKIPPED) return;
    } catch (error) {
      finish('failed');
      throw error;
    }
    finish('done');
    this.lastSuccess.set({ sweep }, Date.now() / 1_000);
  }
}
