import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

const labelNames = ['operation', 'level'] as const;
type Label = (typeof labelNames)[number];

/** What waits of one operation at one level. */
interface Queued {
  readonly operation: string;
  readonly level: string;
  readonly jobs: number;
  readonly workSeconds: number;
  readonly oldestSeconds: number;
}

/**
 * The length of the queue. Every api process says the same of the one queue there is: take the maximum over
 * them, not the sum. `ies_queue_work_seconds` is the figure to scale workers by: divided by how long a job
 * may wait, it is the number of workers.
 */
export class QueueMetrics {
  private readonly jobs: Gauge<Label>;
  private readonly workSeconds: Gauge<Label>;
  private readonly oldestSeconds: Gauge<Label>;

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    const registers = [registry];
    this.jobs = new Gauge({ name: 'ies_queue_jobs', help: 'Queued jobs.', labelNames, registers });
    this.workSeconds = new Gauge({
      name: 'ies_queue_work_seconds',
      help: 'Seconds one worker will take for the queued jobs, by what workers measured lately.',
      labelNames,
      registers,
    });
    this.oldestSeconds = new Gauge({
      name: 'ies_queue_oldest_seconds',
      help: 'How long the oldest queued job has waited.',
      labelNames,
      registers,
    });
  }

  /** Operations that are not told have nothing queued. */
  set(queued: readonly Queued[]): void {
    for (const gauge of [this.jobs, this.workSeconds, this.oldestSeconds]) gauge.reset();
    for (const { operation, level, jobs, workSeconds, oldestSeconds } of queued) {
      this.jobs.set({ operation, level }, jobs);
      this.workSeconds.set({ operation, level }, workSeconds);
      this.oldestSeconds.set({ operation, level }, oldestSeconds);
    }
  }
}
