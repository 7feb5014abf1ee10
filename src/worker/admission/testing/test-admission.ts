import type { EnhancerPool } from '../../../inference/enhancer-pool.js';
import type { FairQueueRepository, WaitingJob } from '../../../jobs/queue/fair-queue.repository.js';
import type { JobCompletion } from '../../../jobs/job-completion.js';
import type { AbleWorkersRepository } from '../../../jobs/queue/able-workers.repository.js';
import type { JobLeaseRepository, Lease } from '../../../jobs/queue/job-lease.repository.js';
import type { ModelRoute } from '../../../models/manifest/model-route.js';
import type { ModelPresence } from '../../../models/serving/model-presence.js';
import type { Catalog } from '../../../models/repository/catalog.js';
import { JobRequeuer } from '../../job-requeuer.js';
import { JobAdmission } from '../job-admission.js';
import { JobCandidates } from '../job-candidates.js';
import { OversizedJobs } from '../oversized-jobs.js';
import { RunnableJobs } from '../runnable-jobs.js';
import type { WorkerStorage } from '../worker-storage.js';

export const TEST_ROUTE = { scale: 1 } as ModelRoute;
export const TEST_PIXELS = 1_000_000;

/** A job as the queue returns it. */
export function waitingJob(
  id: string,
  {
    operation = 'upscale',
    sourcePixels = TEST_PIXELS,
    attempts = 0,
    machineFaults = 0,
  }: { operation?: string; sourcePixels?: number; attempts?: number; machineFaults?: number } = {},
): WaitingJob {
  const output = { format: 'png', quality: null, background: null };
  const place = { accountId: 'acc_1', turn: '0', attempts, claims: 0, machineFaults, steps: null };
  return { id, operation, ...place, sourcePixels, sourceFormat: 'png', output } as WaitingJob;
}

/** What surrounds an admission under test. */
export interface TestQueue {
  /** The kinds of jobs that the worker can run; here, kinds are operations. */
  readonly kinds: readonly string[];
  /** Kinds that it announces although it has no model for them. */
  readonly unrunnable?: readonly string[];
  readonly jobMaxReturns?: number;
  /** Memory for jobs. */
  readonly budgetBytes: number;
  readonly waiting: () => readonly WaitingJob[];
  readonly claim: (jobId: string, lease: Lease) => ReturnType<JobLeaseRepository['claim']>;
  readonly release?: JobLeaseRepository['release'];
  readonly requeue?: JobLeaseRepository['requeue'];
  /** Fails a job after too many returns. */
  readonly fail?: JobCompletion['fail'];
  /** Size of the scratch disk. Default: no limit. */
  readonly scratchBytes?: () => number;
  /** The largest scratch disk that another worker reports. Default: none does. */
  readonly otherScratchBytes?: () => number;
}

/** The real admission over a queue in memory. Its disks never fill up; `full-disk.spec.ts` covers those that do. */
export function testAdmission({
  kinds,
  unrunnable = [],
  jobMaxReturns = 8,
  budgetBytes,
  waiting,
  claim,
  release = async () => false,
  requeue = async () => false,
  fail = async () => false,
  scratchBytes = () => Infinity,
  otherScratchBytes = () => 0,
}: TestQueue): JobAdmission {
  const queue: Pick<FairQueueRepository, 'waiting'> = {
    waiting: async (wanted, limit, filter) =>
      waiting()
        .filter(
          ({ id, operation }) =>
            wanted.includes(operation) &&
            (filter?.including ?? wanted).includes(operation) &&
            filter?.excluded?.includes(id) !== true,
        )
        .slice(0, limit),
  };
  const leases: Pick<JobLeaseRepository, 'claim' | 'release' | 'requeue'> = {
    claim: (lease) => claim(lease.jobId, lease),
    release,
    requeue,
  };
  const catalog: Pick<Catalog, 'kinds' | 'routeFor'> = {
    kinds: () => [...kinds, ...unrunnable],
    routeFor: (operation) => (unrunnable.includes(operation) ? undefined : TEST_ROUTE),
  };
  const devices = { away: new Map() } as Partial<EnhancerPool> as EnhancerPool;
  const runnable = new RunnableJobs(catalog as Catalog, devices, { tritonMaxOutageMs: 3_600_000 });
  const completion: Pick<JobCompletion, 'fail'> = { fail };
  const requeuer = new JobRequeuer(leases as JobLeaseRepository, completion as JobCompletion, {
    jobMaxReturns,
  });
  const storage = {
    ready: async () => undefined,
    isTooSmallFor: async (need) => need.scratchBytes > scratchBytes(),
    reserve: async () => () => undefined,
    close: () => undefined,
  } as Partial<WorkerStorage> as WorkerStorage;
  const workers: Pick<AbleWorkersRepository, 'hasDiskFor'> = {
    hasDiskFor: async (_jobId, needBytes) => otherScratchBytes() >= needBytes,
  };
  const config = { workerMemoryBytes: budgetBytes, jobLeaseMs: 1_000, jobMaxReturns, jobUnservedMs: 120_000 };
  const oversized = new OversizedJobs(
    storage,
    workers as AbleWorkersRepository,
    { workerId: 'wrk_1' } as ModelPresence,
    leases as JobLeaseRepository,
    requeuer,
    config,
  );
  return new JobAdmission(
    new JobCandidates(queue as FairQueueRepository, runnable, requeuer),
    leases as JobLeaseRepository,
    storage,
    requeuer,
    oversized,
    config,
  );
}
