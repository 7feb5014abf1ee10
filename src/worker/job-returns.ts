import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { JobCompletion } from '../jobs/job-completion.js';
import { JobLeaseRepository, type Lease } from '../jobs/queue/job-lease.repository.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Until a job that waits for disk space is looked at again. */
const SPACE_PAUSE_MS = 10_000;

/** What a client is told of a job that no worker's machine could do. */
const GIVEN_UP =
  'The service has no room left for the files of this job, or its disks fail. Nothing was charged; try again later.';

/**
 * Gives jobs back to the queue that this machine cannot do: the lease ends, and the attempt does not count. This worker
 * leaves such a job alone for a while, twice as long each time, so that others find it first. A job that was given
 * back `JOB_MAX_RETURNS` times fails.
 */
@Injectable()
export class JobReturns {
  private readonly logger = new Logger('jobs');
  private readonly untilMs = new Map<string, number>();

  constructor(
    private readonly leases: JobLeaseRepository,
    private readonly completion: JobCompletion,
    @Inject(CONFIG) private readonly config: Pick<Config, 'jobMaxReturns'>,
  ) {}

  /** Ids of the jobs that this worker leaves to others for now. */
  excluded(): readonly string[] {
    const now = performance.now();
    for (const [id, until] of this.untilMs) if (until <= now) this.untilMs.delete(id);
    return [...this.untilMs.keys()];
  }

  /** Leaves a waiting job to others for a while: it has to wait for disk space, but what comes after it need not. */
  leaveForNow(jobId: string): void {
    this.untilMs.set(jobId, performance.now() + SPACE_PAUSE_MS);
    this.logger.warn({ jobId }, 'a job is waiting for disk space');
  }

  /**
   * Gives a job back, or fails it when that was done too often. Nothing happens when the lease is no longer held.
   * @param machineFaults how often it was given back before
   * @throws what the database throws; then the lease runs out
   */
  async giveBack(lease: Lease, machineFaults: number, reason: string): Promise<'returned' | 'failed'> {
    const { jobId, token } = lease;
    if (machineFaults + 1 >= this.config.jobMaxReturns) {
      await this.completion.fail(jobId, token, 'service_unavailable', GIVEN_UP);
      this.logger.error({ jobId, machineFaults, reason }, 'job failed: returned to the queue too often');
      return 'failed';
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** machineFaults, LONGEST_PAUSE_MS);
    this.untilMs.set(jobId, performance.now() + pauseMs);
    await this.leases.giveBack(lease);
    this.logger.warn({ jobId, machineFaults: machineFaults + 1, reason }, 'job returned to the queue');
    return 'returned';
  }
}
