import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { WaitingJob } from '../../jobs/queue/fair-queue.repository.js';
import { type Claim, JobLeaseRepository, type Lease } from '../../jobs/queue/job-lease.repository.js';
import type { JobWithSource } from '../../jobs/job-presenter.js';
import { retryWhile } from '../../kernel/concurrency/retry-while.js';
import { SLOW_MS, testOutcomeOf, type TestOutcome } from '../../jobs/test-mode/test-outcome.js';
import { type DiskNeed, diskNeed } from './disk-need.js';
import { JobRequeuer } from '../job-requeuer.js';
import { type Candidate, JobCandidates, type Lane } from './job-candidates.js';
import { newLeaseToken } from '../lease-token.js';
import { Isolation } from './isolation.js';
import { LargeTestJobs } from './large-test-jobs.js';
import { MemoryBudget } from './memory-budget.js';
import { memoryNeed } from './memory-need.js';
import { OversizedJobs } from './oversized-jobs.js';
import type { RunStep } from '../run-step.js';
import { WorkerStorage } from './worker-storage.js';
import { isRepeatable } from '../../infra/database/database-errors.js';

/** A claimed job with reserved memory. */
export interface AdmittedJob {
  readonly job: JobWithSource;
  readonly lease: Lease;
  readonly steps: readonly RunStep[];
  /** What a job of test mode was asked to do. */
  readonly testOutcome: TestOutcome | undefined;
  /** Stops the run. */
  readonly abort: AbortController;
  /** Releases the memory; call it once, however the job ends. */
  readonly release: () => void;
}

/** What work that gives way to jobs needs. */
export interface SpareNeed {
  readonly memoryBytes: number;
  readonly disk: DiskNeed;
}

/** How many jobs that wait for disk space smaller ones may overtake. */
const MAX_PASSED_OVER = 20;

const RELEASE_PAUSE_MS = 500;

/** A candidate for which memory and disk space are reserved. */
interface Reserved extends Candidate {
  readonly abort: AbortController;
  readonly release: () => void;
}

/** A decision that must be made again when memory or space is free. */
interface Shortage {
  readonly freed: Promise<void>;
}

/**
 * Picks the next job in fair-share order that a loaded model can run and memory can hold. Decisions are made
 * one at a time and again after each wait, so a new job is delayed by at most one decision. The next one does not wait
 * for the commit of the last claim. Jobs that no model here can run are left to other workers.
 */
@Injectable()
export class JobAdmission {
  private readonly budget: MemoryBudget;
  private readonly isolation: Isolation;
  private readonly largeTests: LargeTestJobs;
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;
  private paused = false;
  /** Jobs that hold memory. */
  private admitted = 0;
  /** Ids of jobs whose claim is not committed. */
  private readonly claiming = new Set<string>();
  private giveWay: () => void = () => undefined;

  constructor(
    private readonly candidates: JobCandidates,
    private readonly leases: JobLeaseRepository,
    private readonly storage: WorkerStorage,
    private readonly requeuer: JobRequeuer,
    private readonly oversized: OversizedJobs,
    @Inject(CONFIG) private readonly config: Pick<
      Config,
      'jobLeaseMs' | 'jobMaxReturns' | 'workerMemoryBytes'
    >,
  ) {
    this.budget = new MemoryBudget(config.workerMemoryBytes);
    this.isolation = new Isolation(config.jobMaxReturns);
    this.largeTests = new LargeTestJobs(this.budget, config.workerMemoryBytes);
  }

  /** @returns undefined when no job waits for this worker, or one that must run alone does, or admission has ended */
  async next(lane: Lane = 'live'): Promise<AdmittedJob | undefined> {
    for (;;) {
      const decision = this.last.then(() => this.decide(lane));
      this.last = decision.catch(() => undefined);
      const decided = await decision;
      if (decided === undefined) return undefined;
      if ('freed' in decided) {
        // Not in the decision: those about test jobs would wait, too. This one is the first to be made again.
        await decided.freed;
        continue;
      }
      const admitted = await this.claim(decided);
      if (admitted !== undefined) return admitted;
    }
  }

  /** Whether a job waits that this worker can run. */
  async isWorkWaiting(lane: Lane = 'live'): Promise<boolean> {
    return this.isOpen && (await this.candidate(lane)) !== undefined;
  }

  /**
   * Memory and disk space for work that gives way to jobs.
   * @param giveWay called when a job comes, or the worker takes no more
   * @returns releases both, call it once; undefined while a job runs or waits here, or space is short
   */
  spare(need: SpareNeed, giveWay: () => void): Promise<(() => void) | undefined> {
    const decision = this.last.then(() => this.takeSpare(need, giveWay));
    this.last = decision.catch(() => undefined);
    return decision;
  }

  /** Ends the work that gives way to jobs. */
  breakOff(): void {
    this.giveWay();
  }

  /** From now on only jobs of these kinds are admitted. */
  limitTo(kinds: readonly string[]): void {
    this.candidates.limitTo(kinds);
  }

  /** Admits nothing until the pause ends. */
  pause(isPaused: boolean): void {
    this.paused = isPaused;
    if (isPaused) this.breakOff();
  }

  /** Admits nothing more. */
  close(): void {
    this.closed = true;
    this.breakOff();
    this.storage.close();
  }

  private get isOpen(): boolean {
    return !this.closed && !this.paused;
  }

  private async decide(lane: Lane): Promise<Reserved | Shortage | undefined> {
    while (this.isOpen) {
      await this.storage.ready();
      const candidate = this.isOpen ? await this.candidate(lane) : undefined;
      if (candidate === undefined) return undefined;
      // Before anything that costs other work its time.
      if (await this.oversized.decline(candidate)) continue;
      this.breakOff();
      if (await this.slowDown(candidate.job)) continue;
      // The end of the running jobs leads to the next decision.
      if (!this.isolation.admits(candidate.job)) return undefined;
      const reserved = await this.reserve(candidate, lane);
      if (reserved === 'repeat') continue;
      if (reserved !== undefined && 'job' in reserved) this.claiming.add(reserved.job.id);
      return reserved;
    }
    return undefined;
  }

  private async takeSpare(
    { memoryBytes, disk }: SpareNeed,
    giveWay: () => void,
  ): Promise<(() => void) | undefined> {
    if (!this.isOpen || this.admitted > 0 || this.claiming.size > 0) return undefined;
    if ((await this.candidate('live')) !== undefined) return undefined;
    const freeMemory = this.budget.take(memoryBytes);
    if (freeMemory === undefined) return undefined;
    const freeDisk = await this.storage.reserve(disk).catch(() => 'full' as const);
    if (typeof freeDisk === 'string' || !this.isOpen) {
      freeMemory();
      if (typeof freeDisk !== 'string') freeDisk();
      return undefined;
    }
    this.giveWay = giveWay;
    return () => {
      this.giveWay = () => undefined;
      freeMemory();
      freeDisk();
    };
  }

  /** `repeat` when the decision must be repeated at once. Test jobs that find no room wait for their next look. */
  private async reserve(
    candidate: Candidate,
    lane: Lane,
  ): Promise<Reserved | Shortage | 'repeat' | undefined> {
    const { job, steps } = candidate;
    const need = memoryNeed(job, steps);
    const isLargeTest = lane === 'test' && this.largeTests.isLarge(need);
    // Live jobs must not wait for a test job, neither for its decision nor for the memory that it takes.
    if (isLargeTest && (await this.candidate('live')) !== undefined) return undefined;
    const freeMemory = this.budget.take(need);
    if (freeMemory === undefined) return lane === 'test' ? undefined : { freed: this.largeTests.giveWay() };
    const disk = await this.storage.reserve(diskNeed(job, steps)).catch((error: unknown) => {
      freeMemory();
      this.storage.suspend(error);
    });
    if (disk === undefined) return 'repeat';
    if (typeof disk === 'string') {
      freeMemory();
      if (disk === 'full') this.storage.suspend();
      else if (disk === 'busy' || !this.skipForNow(job))
        return lane === 'test' ? undefined : { freed: this.storage.freed() };
      return 'repeat';
    }
    const abort = new AbortController();
    const leave = [this.isolation.enter(job), ...(isLargeTest ? [this.largeTests.enter(abort)] : [])];
    const release = (): void => {
      for (const end of [freeMemory, disk, ...leave]) end();
    };
    return { ...candidate, abort, release };
  }

  /**
   * Whether the job is a slow test whose time is not over. Nobody processes it until its lease ends, so it holds
   * neither memory nor a place here.
   */
  private async slowDown(job: WaitingJob): Promise<boolean> {
    const leftMs = testOutcomeOf(job) === 'slow' ? job.createdAt.getTime() + SLOW_MS - Date.now() : 0;
    if (leftMs <= 0) return false;
    await this.leases.setAside({ jobId: job.id, token: newLeaseToken() }, leftMs);
    return true;
  }

  /** Lets smaller jobs overtake. False if none of many fits: then the disk is checked again. */
  private skipForNow({ id }: WaitingJob): boolean {
    if (this.requeuer.excluded().length >= MAX_PASSED_OVER) return false;
    this.requeuer.skipForNow(id);
    return true;
  }

  private candidate(lane: Lane): Promise<Candidate | undefined> {
    return this.candidates.first(lane, [...this.claiming, ...this.oversized.skipped()]);
  }

  /** Undefined when another worker was faster; the memory is released. */
  private async claim({ job, steps, abort, release }: Reserved): Promise<AdmittedJob | undefined> {
    const lease = { jobId: job.id, token: newLeaseToken() };
    let claim: Claim | undefined;
    try {
      claim = await this.leases.claim(lease, this.config.jobLeaseMs);
    } catch (error) {
      void this.releaseUnseen(lease);
      throw error;
    } finally {
      this.claiming.delete(job.id);
      if (claim === undefined) release();
    }
    if (claim === undefined) return undefined;
    const claimed = { ...job, attempts: claim.attempt, claims: claim.number };
    this.admitted += 1;
    const end = (): void => {
      this.admitted -= 1;
      release();
    };
    return { job: claimed, lease, steps, testOutcome: testOutcomeOf(job), abort, release: end };
  }

  /**
   * The claim may have been committed although its response was lost. The job would wait until the lease ends, and an
   * attempt would count.
   */
  private async releaseUnseen(lease: Lease): Promise<void> {
    const limits = { isTransient: isRepeatable, pauseMs: RELEASE_PAUSE_MS, limitMs: this.config.jobLeaseMs };
    await retryWhile(limits, () => this.leases.release(lease)).catch(() => undefined);
  }
}
