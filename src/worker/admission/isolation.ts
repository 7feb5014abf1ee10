import { Logger } from '@nestjs/common';
import type { WaitingJob } from '../../jobs/queue/fair-queue.repository.js';
import { livemodeOf } from '../../kernel/accounts/livemode.js';

/** One return is usually the machine's fault. A job that was returned twice was there both times. */
const SUSPECT_RETURNS = 2;

type Returned = Pick<WaitingJob, 'id' | 'accountId' | 'machineFaults'>;

/**
 * Which live jobs may run at the same time in this worker. A job that was returned to the queue repeatedly may break
 * the devices and servers that it runs on, and then the jobs beside it are returned, too. So it runs alone, and only
 * the job that causes further returns collects them. Test jobs use no device.
 */
export class Isolation {
  private readonly logger = new Logger('jobs');
  private readonly suspectReturns: number;
  private running = 0;
  private isAlone = false;

  /** @param maxReturns after so many returns a job fails: its last run is alone in any case */
  constructor(maxReturns: number) {
    this.suspectReturns = Math.max(1, Math.min(SUSPECT_RETURNS, maxReturns - 1));
  }

  /** Whether a job may start now. If it may not, later jobs wait as well, so that its time comes. */
  admits(job: Returned): boolean {
    if (!livemodeOf(job.accountId) || this.running === 0) return true;
    return !this.isAlone && !this.isSuspect(job);
  }

  /** A job starts. @returns call it once, when the job has ended */
  enter(job: Returned): () => void {
    if (!livemodeOf(job.accountId)) return () => undefined;
    const { id: jobId, machineFaults } = job;
    this.running += 1;
    this.isAlone = this.isSuspect(job);
    if (this.isAlone) this.logger.log({ jobId, machineFaults }, 'a job that was returned before runs alone');
    return () => {
      this.running -= 1;
      this.isAlone = false;
    };
  }

  private isSuspect({ machineFaults }: Returned): boolean {
    return machineFaults >= this.suspectReturns;
  }
}
