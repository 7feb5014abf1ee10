import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Inject, Logger } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { Pause } from '../kernel/concurrency/pause.js';
import { ENHANCE_QUEUE } from '../infra/queue/enhance-queue.js';
import { QueueErrors } from '../infra/queue/queue-errors.js';
import { JobConcurrency } from './admission/job-concurrency.js';
import { JobRunner } from './job-runner.js';
import { LeaseKeeper } from './lease-keeper.js';

/**
 * A message only wakes a worker; the job's row decides who runs it. Redelivering a message costs nothing, so
 * it is redelivered soon and often.
 */
const DELIVERY = {
  lockDuration: 10_000,
  stalledInterval: 4_000,
  maxStalledCount: 1_000_000,
  runRetryDelay: 1_000,
} as const;

/**
 * How often a worker with free capacity looks for jobs without a message: the message may be lost, or have
 * gone to a worker that cannot run the job.
 */
const LOOK_MS = 2_000;

/** Test jobs that one worker draws at the same time, beside its live jobs: they are free, and live jobs need the CPU. */
const TEST_CONCURRENCY = 1;

/** Part of the drain that is reserved for releasing jobs and closing. */
const GIVE_BACK_MS = 5_000;

/** Consumes the queue. */
@Processor(ENHANCE_QUEUE, { autorun: false, ...DELIVERY })
export class EnhanceConsumer extends WorkerHost implements BeforeApplicationShutdown {
  private readonly logger = new Logger('queue');
  private readonly concurrency: JobConcurrency;
  private readonly tests: JobConcurrency;
  private readonly pause = new Pause();
  private isDraining = false;
  private looking: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly runner: JobRunner,
    private readonly keeper: LeaseKeeper,
    private readonly errors: QueueErrors,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super();
    this.concurrency = new JobConcurrency(config.workerConcurrency, () => runner.runNext());
    this.tests = new JobConcurrency(TEST_CONCURRENCY, () => runner.runNext('test'));
  }

  /** Connects to the queue. @throws the error of the first connection */
  async connect(): Promise<void> {
    this.worker.concurrency = this.config.workerConcurrency;
    await this.worker.waitUntilReady();
  }

  /**
   * Starts consuming, after `connect`.
   * @param onEnd called when consuming stops by itself; BullMQ cannot resume, only a new process can
   */
  begin(onEnd: () => void): void {
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    void this.takeMessages(onEnd);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.errors.record(error);
  }

  /** Runs jobs until none waits, in fair-share order; the first one need not be the job of the message. */
  override async process(): Promise<void> {
    // Held messages occupy this worker, so that the queue gives the next ones to others.
    await this.pause.over();
    this.tests.wakeAll();
    await this.concurrency.work();
  }

  /** Jobs that run now, and how many may. */
  load(): { readonly jobs: number; readonly concurrency: number } {
    return { jobs: this.runner.running, concurrency: this.config.workerConcurrency };
  }

  /** Takes no new jobs until `resumeTaking`. */
  pauseTaking(): void {
    this.pause.begin();
    this.runner.pause(true);
  }

  resumeTaking(): void {
    this.runner.pause(false);
    this.pause.resume();
    this.look();
  }

  /** Takes no new jobs. */
  stopTaking(): void {
    this.isDraining = true;
    clearInterval(this.timer);
    this.runner.stopTaking();
    // Closing the queue waits for held messages.
    this.pause.resume();
  }

  /** Drains: takes no new jobs, lets running jobs finish for a while, then returns the rest to the queue. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopTaking();
    const workMs = Math.max(0, this.config.drainTimeoutMs - GIVE_BACK_MS);
    const impatient = setTimeout(() => void this.keeper.stopAll(), workMs);
    try {
      await Promise.all([this.worker.close(), this.looking, this.concurrency.rest(), this.tests.rest()]);
      // Jobs that the last look may have started.
      await Promise.all([this.concurrency.rest(), this.tests.rest()]);
    } finally {
      clearTimeout(impatient);
    }
  }

  /** One look at a time; after a failure the next one may succeed. */
  private look(): void {
    if (this.looking !== undefined || !(this.concurrency.hasFree || this.tests.hasFree)) return;
    this.looking = this.lookNow().finally(() => (this.looking = undefined));
  }

  private async lookNow(): Promise<void> {
    try {
      if (this.concurrency.hasFree && (await this.runner.isWorkWaiting())) this.concurrency.wakeAll();
      if (this.tests.hasFree && (await this.runner.isWorkWaiting('test'))) this.tests.wakeAll();
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'could not read waiting jobs');
    }
  }

  private async takeMessages(onEnd: () => void): Promise<void> {
    let reason = 'it ended';
    try {
      await this.worker.run();
    } catch (error) {
      reason = String(error);
    }
    if (this.isDraining) return;
    this.logger.fatal({ error: reason }, 'stopped consuming the queue');
    onEnd();
  }
}
