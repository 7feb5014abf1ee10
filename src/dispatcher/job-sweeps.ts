import { Injectable } from '@nestjs/common';
import { OverdueJobs } from '../jobs/queue/overdue-jobs.js';
import { Sweeper } from '../jobs/queue/sweeper.js';
import { RetentionCleanup } from './retention-cleanup.js';

/** What the dispatcher does every few seconds. */
@Injectable()
export class JobSweeps {
  constructor(
    private readonly sweeper: Sweeper,
    private readonly overdue: OverdueJobs,
    private readonly retentionCleanup: RetentionCleanup,
  ) {}

  /** One round. The sweeper comes first: it must notice every outage of the database. */
  async sweep(): Promise<void> {
    await this.sweeper.sweep();
    await this.overdue.cancel();
    await this.retentionCleanup.keep();
  }
}
