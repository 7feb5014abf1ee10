import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Inject, Logger } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { ENHANCE_QUEUE } from '../infra/queue/enhance-queue.js';
import { JobConcurrency } from './job-concurrency.js';
import { JobRunner } from './job-runner.js';
import { LeaseKeeper } from './lease-keeper.js';

/**
 * A message only wakes a worker; the job's row decides who does what. So a message is given to another worker soon
 * and as often as need be: handing one out twice costs nothing, leaving it with a dead worker costs the wait.
 */
const DELIVERY = {
  lockDuration: 10_000,
  stalledInterval: 4_000,
  maxStalledCount: 1_000_000,
  runRetryDelay: 1_000,
} as const;

/**
 * How often a worker with a free hand looks by itself: the message of a job may have gone to a worker that cannot run
 * it, or be lost.
 */
const LOOK_MS = 2_000;

/** Part of the drain that is left for giving jobs back and for closing. */
const GIVE_BACK_MS = 5_000;

/** Takes messages off the queue. Begins when told to, once the models are warm. */
@Processor(ENHANCE_QUEUE, { autorun: false, ...DELIVERY })
export class EnhanceConsumer extends WorkerHost implements BeforeApplicationShutdown {
  private readonly logger = new Logger('queue');
  private readonly concurrency: JobConcurrency;
  private isDraining = false;
  private looking: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly runner: JobRunner,
    private readonly keeper: LeaseKeeper,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super();
    this.concurrency = new JobConcurrency(config.workerConcurrency, () => runner.runNext());
  }

  /**
   * Starts taking messages.
   * @param onEnd called when that ends by itself; BullMQ cannot take it up again, only a new process can
   * @throws what the queue's first connection threw
   */
  async begin(onEnd: () => void): Promise<void> {
    this.worker.concurrency = this.config.workerConcurrency;
    await this.worker.waitUntilReady();
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    void this.takeMessages(onEnd);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn({ error: String(error) }, 'queue error');
  }

  /**
   * Works until nothing waits, beginning with the job whose turn it is, which need not be the one of the message:
   * messages come in the order they were sent, and accounts take turns.
   */
  override async process(): Promise<void> {
    await this.concurrency.work();
  }

  /** Takes nothing new from now on. */
  stopTaking(): void {
    this.isDraining = true;
    clearInterval(this.timer);
    this.runner.stopTaking();
  }

  /** Drains: takes nothing new, lets jobs end for a while, then gives the rest back to the queue. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopTaking();
    const workMs = Math.max(0, this.config.drainTimeoutMs - GIVE_BACK_MS);
    const impatient = setTimeout(() => void this.keeper.stopAll(), workMs);
    try {
      await Promise.all([this.worker.close(), this.looking, this.concurrency.rest()]);
      // What a last look may have woken meanwhile.
      await this.concurrency.rest();
    } finally {
      clearTimeout(impatient);
    }
  }

  /** One look at a time; the next one may succeed where this one fails. */
  private look(): void {
    if (this.looking !== undefined || !this.concurrency.hasFree) return;
    this.looking = this.lookNow().finally(() => (this.looking = undefined));
  }

  private async lookNow(): Promise<void> {
    try {
      if (await this.runner.isWorkWaiting()) this.concurrency.wakeAll();
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
