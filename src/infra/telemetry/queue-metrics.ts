import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

const labelNames = ['operation', 'level'] as const;
type Label = (typeof labelNames)[number];

/** Waiting jobs of one operation at one level. */
interface Queued {
  readonly operation: string;
  readonly level: string;
  readonly jobs: number;
  readonly workSeconds: number;
  readonly oldestSeconds: number;
}

/**
 * The length of the queue. Every API process reports the same values: use their maximum, not the sum. Scale workers by
 * `ies_queue_work_seconds`: divided by the acceptable waiting time of a job, it is the number of workers. Test jobs have
 * a gauge of their own, because a worker needs little time for them, but without any worker they wait.
 */
export class QueueMetrics {
  private readonly jobs: Gauge<Label>;
  private readonly workSeconds: Gauge<Label>;
  private readonly oldestSeconds: Gauge<Label>;
  private readonly testJobs: Gauge;

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    const registers = [registry];
    this.jobs = new Gauge({ name: 'ies_queue_jobs', help: 'Queued jobs.', labelNames, registers });
    this.workSeconds = new Gauge({
      name: 'ies_queue_work_seconds',
      help: 'Seconds one worker needs for the queued jobs, by recent measurements.',
      labelNames,
      registers,
    });
    this.oldestSeconds = new Gauge({
      name: 'ies_queue_oldest_seconds',
      help: 'How long the oldest queued job has waited.',
      labelNames,
      registers,
    });
    this.testJobs = new Gauge({
      name: 'ies_queue_test_jobs',
      help: 'Queued jobs of test mode, which the other metrics do not count.',
      registers,
    });
  }

  /**
   * Sets the values. Operations that are missing have no queued jobs.
   * @param testJobs undefined when it is not known
   */
  set(queued: readonly Queued[], testJobs: number | undefined): void {
    for (const gauge of [this.jobs, this.workSeconds, this.oldestSeconds]) gauge.reset();
    if (testJobs === undefined) this.testJobs.remove();
    else this.testJobs.set(testJobs);
    for (const { operation, level, jobs, workSeconds, oldestSeconds } of queued) {
      this.jobs.set({ operation, level }, jobs);
      this.workSeconds.set({ operation, level }, workSeconds);
      this.oldestSeconds.set({ operation, level }, oldestSeconds);
    }
  }
}
