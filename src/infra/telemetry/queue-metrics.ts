import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';
import { sharedRead } from './shared-read.js';

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

/** What waits in the queue. */
interface Queue {
  /** Operations that are missing have no queued jobs. */
  readonly queued: readonly Queued[];
  readonly testJobs: number;
}

/**
 * The length of the queue. Every API process reports the same values: use their maximum, not the sum. Scale workers by
 * `ies_queue_work_seconds`: divided by the acceptable waiting time of a job, it is the number of workers. Test jobs have
 * a gauge of their own, because a worker needs little time for them, but without any worker they wait.
 */
export class QueueMetrics {
  /** @param read called once at each scrape, at the same time as other reads; without an answer, there are no series */
  constructor({ registry }: Pick<Metrics, 'registry'>, read: () => Promise<Queue>) {
    const registers = [registry];
    const queue = sharedRead(read);
    const add = (name: string, help: string, value: (queued: Queued) => number): void => {
      const gauge: Gauge<Label> = new Gauge({
        name,
        help,
        labelNames,
        registers,
        collect: async () => {
          const now = await queue();
          gauge.reset();
          for (const queued of now?.queued ?? []) {
            const { operation, level } = queued;
            gauge.set({ operation, level }, value(queued));
          }
        },
      });
    };
    add('ies_queue_jobs', 'Queued jobs.', ({ jobs }) => jobs);
    add(
      'ies_queue_work_seconds',
      'Seconds one worker needs for the queued jobs, by recent measurements.',
      ({ workSeconds }) => workSeconds,
    );
    add(
      'ies_queue_oldest_seconds',
      'How long the oldest queued job has waited.',
      ({ oldestSeconds }) => oldestSeconds,
    );
    const testJobs: Gauge = new Gauge({
      name: 'ies_queue_test_jobs',
      help: 'Queued jobs of test mode, which the other metrics do not count.',
      registers,
      collect: async () => {
        const now = await queue();
        if (now === undefined) testJobs.remove();
        else testJobs.set(now.testJobs);
      },
    });
  }
}
