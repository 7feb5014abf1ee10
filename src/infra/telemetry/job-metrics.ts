import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from './metrics.js';

/** How a run of a job ended. `stopped`: it was canceled, released, or lost its lease. */
export type RunEnd = 'completed' | 'failed' | 'stopped';

/** How a run of a finished job on the shadow of its operation ended. */
export type ShadowEnd = 'compared' | 'failed' | 'dropped';

/** Jobs that this process has run. */
export class JobMetrics {
  private readonly ended: Counter<'operation' | 'level' | 'end'>;
  private readonly shadows: Counter<'operation' | 'end'>;
  private readonly inProgress: Gauge<'operation' | 'level'>;
  private readonly busySeconds: Counter;
  private beforeRead: () => void = () => undefined;
  private readonly stepSeconds: Histogram<'operation' | 'step'>;
  private readonly waitSeconds: Histogram<'operation' | 'level'>;

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    const registers = [registry];
    this.ended = new Counter({
      name: 'ies_jobs_total',
      help: 'Jobs that this worker ran, by outcome.',
      labelNames: ['operation', 'level', 'end'],
      registers,
    });
    this.inProgress = new Gauge({
      name: 'ies_jobs_running',
      help: 'Jobs that this worker is running.',
      labelNames: ['operation', 'level'],
      registers,
    });
    this.shadows = new Counter({
      name: 'ies_shadow_runs_total',
      help: 'Finished jobs that were to be run on a shadow, by outcome.',
      labelNames: ['operation', 'end'],
      registers,
    });
    this.busySeconds = new Counter({
      name: 'ies_worker_busy_seconds_total',
      help: 'Time during which at least one job was running.',
      registers,
      collect: () => this.beforeRead(),
    });
    this.stepSeconds = new Histogram({
      name: 'ies_job_step_seconds',
      help: 'Wall-clock time of the parts of a completed job.',
      labelNames: ['operation', 'step'],
      buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300],
      registers,
    });
    this.waitSeconds = new Histogram({
      name: 'ies_job_wait_seconds',
      help: 'Time from the creation of a job to its first claim.',
      labelNames: ['operation', 'level'],
      buckets: [0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000],
      registers,
    });
  }

  /** @param seconds from the creation of the job to its first claim */
  waited(operation: string, level: string, seconds: number): void {
    this.waitSeconds.observe({ operation, level }, seconds);
  }

  start(operation: string, level: string): void {
    this.inProgress.inc({ operation, level });
  }

  /** Call it once for each `start`. */
  end(operation: string, level: string, end: RunEnd): void {
    this.inProgress.dec({ operation, level });
    this.ended.inc({ operation, level, end });
  }

  shadowEnded(operation: string, end: ShadowEnd): void {
    this.shadows.inc({ operation, end });
  }

  /** @param milliseconds durations by phase; the names of the phases end in `Ms` */
  steps(operation: string, milliseconds: Readonly<Record<string, number>>): void {
    for (const [name, ms] of Object.entries(milliseconds))
      this.stepSeconds.observe({ operation, step: name.replace(/Ms$/, '') }, ms / 1_000);
  }

  busy(seconds: number): void {
    this.busySeconds.inc(seconds);
  }

  /** @param count calls `busy` with the time since its last call, so that the counter also rises while a job runs */
  countBusyBeforeRead(count: () => void): void {
    this.beforeRead = count;
  }
}
