import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { isDatabaseUnavailable } from '../../infra/database/database.js';
import { JobCompletion } from '../job-completion.js';
import { JobLeaseRepository } from './job-lease.repository.js';
import { JobsRepository } from '../jobs.repository.js';
import { LostMessages } from './lost-messages.js';
import { UnroutableJobs } from './unroutable-jobs.js';

const BATCH = 500;

/**
 * Repairs what crashes leave behind: jobs that were never enqueued, jobs of lost workers, jobs that no worker
 * can run, expired results. Any number of sweepers may run; each step is guarded by its row.
 */
@Injectable()
export class Sweeper {
  private readonly logger = new Logger('sweeper');
  /** After a database outage, workers get the time of one lease to renew. */
  private leasesCountFromMs: number;

  constructor(
    private readonly leases: JobLeaseRepository,
    private readonly jobs: JobsRepository,
    private readonly completion: JobCompletion,
    private readonly lostMessages: LostMessages,
    private readonly unroutable: UnroutableJobs,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.leasesCountFromMs = performance.now() + config.jobLeaseMs;
  }

  /** Runs one round. Throws database and queue errors; the next round retries. */
  async sweep(): Promise<void> {
    try {
      if (performance.now() >= this.leasesCountFromMs) await this.recoverLost();
      await this.lostMessages.enqueueForgotten();
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
        // Without an attempt it was only set aside.
        if (attempts > 0) this.logger.warn({ jobId: id, attempts }, 'job queued again: its worker stopped');
        await this.lostMessages.enqueue([{ id, claims }]);
      }
    }
  }

  private async eraseExpired(): Promise<void> {
    for (const id of await this.jobs.expiredResults(BATCH)) await this.completion.eraseResult(id);
  }
}
