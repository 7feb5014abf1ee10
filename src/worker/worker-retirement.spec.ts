import { describe, expect, it } from 'vitest';
import type { Config } from '../config/env.js';
import type { WaitingJob } from '../jobs/queue/fair-queue.repository.js';
import { testAdmission, waitingJob } from './admission/testing/test-admission.js';
import { QueueErrors } from '../infra/queue/queue-errors.js';
import { EnhanceConsumer } from './enhance-consumer.js';
import type { JobRunner } from './job-runner.js';
import type { LeaseKeeper } from './lease-keeper.js';
import { WorkerRetirement } from './worker-retirement.js';

type Retirement = ConstructorParameters<typeof WorkerRetirement>;

const job = (id: string, operation: string): WaitingJob => waitingJob(id, { operation });

/** A worker whose jobs end as soon as it takes them. */
class Worker {
  waiting: WaitingJob[] = [];
  readonly taken: string[] = [];
  readonly consumer: EnhanceConsumer;
  readonly retirement: WorkerRetirement;

  /** @param sole kinds of jobs that no other worker can run */
  constructor(sole: string) {
    const admission = testAdmission({
      kinds: [sole, 'denoise'],
      budgetBytes: 1_000_000_000,
      waiting: () => this.waiting,
      claim: async (jobId) => {
        this.taken.push(jobId);
        this.waiting = this.waiting.filter(({ id }) => id !== jobId);
        return { attempt: 1, number: 1 };
      },
    });
    const runner: Pick<JobRunner, 'pause' | 'isWorkWaiting' | 'runNext'> = {
      pause: (isPaused) => admission.pause(isPaused),
      isWorkWaiting: (lane) => admission.isWorkWaiting(lane),
      runNext: async (lane) => {
        const admitted = await admission.next(lane);
        admitted?.release();
        return admitted !== undefined;
      },
    };
    const config = { workerConcurrency: 1 } as Config;
    this.consumer = new EnhanceConsumer(runner as JobRunner, {} as LeaseKeeper, new QueueErrors(), config);
    const soleJobs = () => this.waiting.filter(({ operation }) => operation === sole).length;
    this.retirement = new WorkerRetirement(
      {
        drain: async () => undefined,
        soleKinds: async () => (soleJobs() > 0 ? [sole] : []),
      } as Partial<Retirement[0]> as Retirement[0],
      admission,
      { count: async () => soleJobs() } as Partial<Retirement[2]> as Retirement[2],
      this.consumer,
    );
  }
}

describe('WorkerRetirement', () => {
  it('runs the jobs that only this worker can run, and no others, although an operator drained it', async () => {
    const worker = new Worker('upscale');
    worker.consumer.pauseTaking();
    worker.waiting = [job('a', 'denoise'), job('b', 'upscale'), job('c', 'upscale')];
    await worker.retirement.run();
    expect(worker.taken).toEqual(['b', 'c']);
    expect(worker.waiting.map(({ id }) => id)).toEqual(['a']);
  });

  it('takes nothing when other workers can run everything', async () => {
    const worker = new Worker('upscale');
    worker.consumer.pauseTaking();
    worker.waiting = [job('a', 'denoise')];
    await worker.retirement.run();
    expect(worker.taken).toEqual([]);
  });
});
