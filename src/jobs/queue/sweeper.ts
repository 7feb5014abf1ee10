import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { isDatabaseUnavailable } from '../../infra/database/database.js';
import { EnhanceQueue } from '../../infra/queue/enhance-queue.js';
import { JobCompletion } from '../job-completion.js';
import { JobLeaseRepository, type Waiting } from './job-lease.repository.js';
import { JobsRepository } from '../jobs.repository.js';
import { UnroutableJobs } from './unroutable-jobs.js';

const BATCH = 500;
/** The api enqueues right after its commit; an older row without a message was lost. */
const ENQUEUE_GRACE_MS = 2_000;
const QUEUE_START = new Date(0);

/**
 * Repairs what crashes leave behind: jobs that were never enqueued, jobs of lost workers, jobs that no worker
 * can run, expired results. Any number of sweepers may run; each step is guarded by its row.
 */
@Injectable()
export class Sweeper {
  private readonly logger = new Logger('sweeper');
  /** After a database outage, workers get the time of one lease to renew. */
  private leasesCountFromMs: number;
  /** Start of the part of the queue for the next round; null: the beginning. */
  private enqueueFrom: Date | null = null;

  constructor(
    private readonly leases: JobLeaseRepository,
    private readonly jobs: JobsRepository,
    private readonly completion: JobCompletion,
    private readonly queue: EnhanceQueue,
    private readonly unroutable: UnroutableJobs,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.leasesCountFromMs = performance.now() + config.jobLeaseMs;
  }

  /** Runs one round. Throws database and queue errors; the next round retries. */
  async sweep(): Promise<void> {
    try {
      if (performance.now() >= this.leasesCountFromMs) await this.recoverLost();
      await this.enqueueForgotten();
      await this.unroutable.end();
      await this.eraseExpired();
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        this.leasesCountFromMs = performance.now() + this.config.jobLeaseMs;
        this.unroutable.startAnew();
      }
      throw error;
    }
  }

  private async recoverLost(): Promise<void> {
    for (const { id, attempts, claims, token } of await this.leases.lost(BATCH)) {
      if (attempts >= this.config.jobMaxAttempts) {
        const failed = await this.completion.fail(id, token, 'worker_lost', null);
        if (failed) this.logger.error({ jobId: id, attempts }, 'job failed: its workers stopped too often');
      } else if (await this.leases.requeueLost({ jobId: id, token })) {
        this.logger.warn({ jobId: id, attempts }, 'job queued again: its worker stopped');
        await this.enqueue([{ id, claims }]);
      }
    }
  }

  private async enqueueForgotten(): Promise<void> {
    const { jobs: waiting, endsAt } = await this.leases.unenqueued(
      ENQUEUE_GRACE_MS,
      BATCH,
      this.enqueueFrom ?? QUEUE_START,
    );
    await this.enqueue(waiting);
    // After a full batch, jobs of this part remain for the next round.
    if (waiting.length < BATCH) this.enqueueFrom = endsAt;
    const forgotten = waiting.filter((job) => job.forgotten).length;
    // The others most likely have their message, which is not added twice.
    if (forgotten > 0) this.logger.log({ count: forgotten }, 'enqueued queued jobs without a message');
  }

  private async enqueue(jobs: readonly Waiting[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.queue.addMany(jobs);
    await this.leases.markEnqueued(jobs);
  }

  private async eraseExpired(): Promise<void> {
    for (const id of await this.jobs.expiredResults(BATCH)) await this.completion.eraseResult(id);
  }
}
