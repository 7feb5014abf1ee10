import { Injectable } from '@nestjs/common';
import { OverdueJobs } from '../jobs/queue/overdue-jobs.js';
import { Sweeper } from '../jobs/queue/sweeper.js';
import { RetentionCleanup } from './retention-cleanup.js';

/** The sweeps that the dispatcher runs every few seconds. */
@Injectable()
export class JobSweeps {
  constructor(
    private readonly sweeper: Sweeper,
    private readonly overdue: OverdueJobs,
    private readonly retentionCleanup: RetentionCleanup,
  ) {}

  /** Runs one round. The sweeper runs first, because it must notice every outage of the database. */
  async sweep(): Promise<void> {
    await this.sweeper.sweep();
    await this.overdue.cancel();
    await this.retentionCleanup.keep();
  }
}
