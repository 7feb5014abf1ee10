import { Processor, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Inject, Logger } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { ENHANCE_QUEUE, type EnhanceMessage } from '../infra/queue/enhance-queue.js';
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

/** Takes messages off the queue. Begins when told to, once the models are warm. */
@Processor(ENHANCE_QUEUE, { autorun: false, ...DELIVERY })
export class EnhanceConsumer extends WorkerHost implements BeforeApplicationShutdown {
  private readonly logger = new Logger('queue');

  constructor(
    private readonly runner: JobRunner,
    private readonly keeper: LeaseKeeper,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super();
  }

  /** Starts taking messages. */
  begin(): void {
    this.worker.concurrency = this.config.workerConcurrency;
    this.worker.on('error', (error) => this.logger.warn({ error: String(error) }, 'queue error'));
    this.worker
      .run()
      .catch((error: unknown) => this.logger.error({ error: String(error) }, 'the queue ended'));
  }

  override async process(message: Job<EnhanceMessage>): Promise<void> {
    await this.runner.run(message.data.jobId);
  }

  /** Drains: takes nothing new, lets jobs end for a while, then gives the rest back to the queue. */
  async beforeApplicationShutdown(): Promise<void> {
    const impatient = setTimeout(() => this.keeper.stopAll(), this.config.drainTimeoutMs);
    try {
      await this.worker.close();
    } finally {
      clearTimeout(impatient);
    }
  }
}
