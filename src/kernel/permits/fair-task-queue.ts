import { AppError } from '../app-error.js';
import { HeldRequestLimit } from '../concurrency/held-request-limit.js';
import { FairPermits } from './fair-permits.js';

const RETRY_AFTER_SECONDS = 5;

/**
 * Runs tasks one at a time, round robin over accounts, so that an account with many tasks delays others by at
 * most one. The number of waiting tasks is bounded, in total and per account.
 */
export class FairTaskQueue {
  private readonly turns = new FairPermits(1, 1);
  private readonly heldRequests: HeldRequestLimit;

  constructor(total: number, perAccount: number) {
    this.heldRequests = new HeldRequestLimit(total, perAccount);
  }

  /** @throws AppError `service_unavailable` when too many tasks are waiting; what the task throws */
  async take<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.heldRequests.isFree(accountId))
      throw new AppError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    const release = this.heldRequests.take(accountId);
    return this.turns.run(accountId, work).finally(release);
  }
}
