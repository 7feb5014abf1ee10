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
/** The api enqueues right after its commit; a row this old without a message was left behind. */
const ENQUEUE_GRACE_MS = 2_000;
const QUEUE_START = new Date(0);

/**
 * Closes the gaps that crashes leave: jobs that were committed but never enqueued, jobs whose worker is
 * lost, jobs that no worker can run any more, results whose time is over. Any number may run side by side; each step is guarded by its row.
 */
@Injectable()
export class Sweeper {
  private readonly logger = new Logger('sweeper');
  /** While nobody could reach the database nobody could renew a lease: workers get the time of one to do so. */
  private leasesCountFromMs: number;
  /** Where the part of the queue begins that the next round looks at; null: at its start. */
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

  /** One round. Throws what the database or the queue throws; the next round tries again. */
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
    // A full batch leaves jobs of this part for the next round.
    if (waiting.length < BATCH) this.enqueueFrom = endsAt;
    const forgotten = waiting.filter((job) => job.forgotten).length;
    // The others have waited long and most likely have their message: it is not added twice.
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
