import { Logger } from '@nestjs/common';
import type { WaitingJob } from '../../jobs/queue/fair-queue.repository.js';
import { livemodeOf } from '../../kernel/accounts/livemode.js';

/** One return is usually the machine's fault. A job that was returned twice was there both times. */
const SUSPECT_RETURNS = 2;

type Candidate = Pick<WaitingJob, 'id' | 'accountId' | 'attempts' | 'machineFaults'>;

/**
 * Which live jobs may run at the same time in this worker. A job that was returned to the queue repeatedly may break
 * the devices and servers that it runs on, and a job that lost its worker may kill workers. The jobs beside it would
 * be lost or returned with it. So it runs alone, and only the job that causes further faults collects them. Test jobs
 * use no device.
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
  admits(job: Candidate): boolean {
    if (!livemodeOf(job.accountId) || this.running === 0) return true;
    return !this.isAlone && !this.isSuspect(job);
  }

  /** A job starts. @returns call it once, when the job has ended */
  enter(job: Candidate): () => void {
    if (!livemodeOf(job.accountId)) return () => undefined;
    const { id: jobId, attempts, machineFaults } = job;
    this.running += 1;
    this.isAlone = this.isSuspect(job);
    if (this.isAlone)
      this.logger.log(
        { jobId, attempts, machineFaults },
        'a job that was lost or returned before runs alone',
      );
    return () => {
      this.running -= 1;
      this.isAlone = false;
    };
  }

  private isSuspect({ attempts, machineFaults }: Candidate): boolean {
    return attempts > 0 || machineFaults >= this.suspectReturns;
  }
}
