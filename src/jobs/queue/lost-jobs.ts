import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { JobCompletion } from '../job-completion.js';
import type { WaitingJob } from './job-messages.repository.js';
import { JobLeaseRepository } from './job-lease.repository.js';
import { LostMessages } from './lost-messages.js';

const BATCH = 500;

/** Recovers jobs of workers that stopped. Any number of dispatchers may do this: each step is guarded by its row. */
@Injectable()
export class LostJobs {
  private readonly logger = new Logger('sweeper');
  private leasesCountFromMs = 0;

  constructor(
    private readonly leases: JobLeaseRepository,
    private readonly completion: JobCompletion,
    private readonly lostMessages: LostMessages,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.startAnew();
  }

  /** After a database outage, workers get the time of one lease to renew. */
  startAnew(): void {
    this.leasesCountFromMs = performance.now() + this.config.jobLeaseMs;
  }

  /** Requeues jobs whose lease has expired, or fails them after their last attempt. Enqueues them at the end. */
  async recover(): Promise<void> {
    if (performance.now() < this.leasesCountFromMs) return;
    const requeued: WaitingJob[] = [];
    for (const { id, attempts, claims, token } of await this.leases.lost(BATCH)) {
      if (attempts >= this.config.jobMaxAttempts) {
        const failed = await this.completion.failLost({ jobId: id, token });
        if (failed) this.logger.error({ jobId: id, attempts }, 'job failed: its workers stopped too often');
      } else if (await this.leases.requeueLost({ jobId: id, token })) {
        // Without an attempt it was only set aside.
        if (attempts > 0) this.logger.warn({ jobId: id, attempts }, 'job queued again: its worker stopped');
        requeued.push({ id, claims });
      }
    }
    await this.lostMessages.enqueue(requeued);
  }
}
