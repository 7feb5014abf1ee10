import { describe, expect, it } from 'vitest';
import type { Config } from '../config/env.js';
import type { EnhancerPool } from '../inference/enhancer-pool.js';
import type { FairQueueRepository, WaitingJob } from '../jobs/queue/fair-queue.repository.js';
import type { JobLeaseRepository } from '../jobs/queue/job-lease.repository.js';
import type { ModelRoute } from '../models/manifest/model-route.js';
import type { Catalog } from '../models/repository/catalog.js';
import { JobAdmission } from './admission/job-admission.js';
import { RunnableJobs } from './admission/runnable-jobs.js';
import type { WorkerStorage } from './admission/worker-storage.js';
import { EnhanceConsumer } from './enhance-consumer.js';
import type { JobRequeuer } from './job-requeuer.js';
import type { JobRunner } from './job-runner.js';
import type { LeaseKeeper } from './lease-keeper.js';
import { WorkerRetirement } from './worker-retirement.js';

type Retirement = ConstructorParameters<typeof WorkerRetirement>;

/** Kinds are operations here. */
function job(id: string, operation: string): WaitingJob {
  const output = { format: 'png', quality: null, background: null };
  const place = { id, operation, accountId: 'acc_1', turn: '0', attempts: 0, claims: 0, steps: null };
  return { ...place, sourcePixels: 1_000_000, sourceFormat: 'png', output } as WaitingJob;
}

/** A worker whose jobs end as soon as it takes them. */
class Worker {
  waiting: WaitingJob[] = [];
  readonly taken: string[] = [];
  readonly consumer: EnhanceConsumer;
  readonly retirement: WorkerRetirement;

  /** @param sole kinds of jobs that no other worker can run */
  constructor(private readonly sole: string) {
    const admission = this.admission();
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
    this.consumer = new EnhanceConsumer(runner as JobRunner, {} as LeaseKeeper, config);
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

  private admission(): JobAdmission {
    const queue: Pick<FairQueueRepository, 'waiting'> = {
      waiting: async (kinds, limit, filter) =>
        this.waiting
          .filter(({ operation }) => kinds.includes(operation))
          .filter(({ operation }) => filter?.including?.includes(operation) ?? true)
          .slice(0, limit),
    };
    const leases: Pick<JobLeaseRepository, 'claim'> = {
      claim: async ({ jobId }) => {
        this.taken.push(jobId);
        this.waiting = this.waiting.filter(({ id }) => id !== jobId);
        return { attempt: 1, number: 1 };
      },
    };
    const catalog: Pick<Catalog, 'kinds' | 'routeFor'> = {
      kinds: () => [this.sole, 'denoise'],
      routeFor: () => ({ scale: 1 }) as ModelRoute,
    };
    return new JobAdmission(
      queue as FairQueueRepository,
      leases as JobLeaseRepository,
      new RunnableJobs(catalog as Catalog, { away: new Map() } as Partial<EnhancerPool> as EnhancerPool, {
        tritonMaxOutageMs: 3_600_000,
      }),
      {
        ready: async () => undefined,
        reserve: async () => () => undefined,
      } as Partial<WorkerStorage> as WorkerStorage,
      { excluded: () => [] } as Partial<JobRequeuer> as JobRequeuer,
      { workerMemoryBytes: 1_000_000_000, jobLeaseMs: 1_000 },
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
