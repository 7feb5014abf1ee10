import { Injectable } from '@nestjs/common';
import { ExpiredResults } from '../jobs/queue/expired-results.js';
import { LostJobs } from '../jobs/queue/lost-jobs.js';
import { LostMessages } from '../jobs/queue/lost-messages.js';
import { OverdueJobs } from '../jobs/queue/overdue-jobs.js';
import { UnroutableJobs } from '../jobs/queue/unroutable-jobs.js';
import { runIsolated } from './isolated-steps.js';
import { isDatabaseUnavailable } from '../infra/database/database-errors.js';

/** The sweeps that the dispatcher runs every few seconds. */
@Injectable()
export class JobSweeps {
  constructor(
    private readonly overdue: OverdueJobs,
    private readonly unroutable: UnroutableJobs,
    private readonly lostJobs: LostJobs,
    private readonly lostMessages: LostMessages,
    private readonly expiredResults: ExpiredResults,
  ) {}

  /**
   * Runs one round: first what needs only the database, then what also needs the queue or the store. A step that
   * fails does not stop the others.
   * @throws the error of the step that failed, or an AggregateError of several; the next round retries
   */
  async sweep(): Promise<void> {
    try {
      await runIsolated([
        () => this.overdue.cancel(),
        () => this.unroutable.end(),
        () => this.lostJobs.recover(),
        () => this.lostMessages.enqueueForgotten(),
        () => this.expiredResults.erase(),
      ]);
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.startAnew();
      throw error;
    }
  }

  /** After a database outage, what was observed before does not count. */
  private startAnew(): void {
    this.lostJobs.startAnew();
    this.unroutable.startAnew();
  }
}
