import { HeldRequestLimit } from './held-request-limit.js';
import { AppError } from '../app-error.js';

const RETRY_AFTER_SECONDS = 5;

type Work = () => Promise<unknown>;

/**
 * Runs tasks one at a time, round robin over accounts, so that an account with many tasks delays others by at
 * most one. The number of waiting tasks is bounded, in total and per account.
 */
export class FairTaskQueue {
  private readonly heldRequests: HeldRequestLimit;
  /** The next account comes first; no list is empty. */
  private readonly lines = new Map<string, Work[]>();
  private isAtWork = false;

  constructor(total: number, perAccount: number) {
    this.heldRequests = new HeldRequestLimit(total, perAccount);
  }

  /** @throws AppError `service_unavailable` when too many tasks are waiting; what the task throws */
  async take<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.heldRequests.isFree(accountId))
      throw new AppError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    const release = this.heldRequests.take(accountId);
    return new Promise<Result>((resolve, reject) => {
      const line = this.lines.get(accountId) ?? [];
      line.push(() => work().then(resolve, reject).finally(release));
      this.lines.set(accountId, line);
      if (!this.isAtWork) void this.workOn();
    });
  }

  private async workOn(): Promise<void> {
    this.isAtWork = true;
    for (let work = this.next(); work !== undefined; work = this.next()) await work();
    this.isAtWork = false;
  }

  private next(): Work | undefined {
    const [first] = this.lines;
    if (first === undefined) return undefined;
    const [accountId, line] = first;
    const work = line.shift();
    this.lines.delete(accountId);
    if (line.length > 0) this.lines.set(accountId, line);
    return work;
  }
}
