import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { JobCompletion } from '../jobs/job-completion.js';
import type { JobEntity } from '../jobs/job.entity.js';
import { JobLeaseRepository, type Lease } from '../jobs/queue/job-lease.repository.js';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Share of a pause that is left out at random, so that jobs that were returned together do not start together. */
const JITTER = 0.5;
/** Delay before a job that waits for disk space is tried again. */
const SPACE_PAUSE_MS = 10_000;

/**
 * Releases after which the next one fails a job, so that one that takes longer than workers live ends at some time.
 * Rolling updates of large fleets cause far fewer, and so does an inference server that refuses jobs for an hour.
 */
const MAX_RELEASES = 1_000;

/** The error of a job that no worker had the time, or a test job that none had the memory, to run to its end. */
const INTERRUPTED =
  'Every run of this job was stopped before its end. The job was not charged. Try again later.';

/** The error of a job that no machine could run. */
const GIVEN_UP =
  'The service ran out of disk space or memory, could not write to its disks, or could not run its models. The job was not charged. Try again later.';

/** Counts of a claimed job, this claim included. */
type Claimed = Pick<JobEntity, 'claims' | 'attempts' | 'machineFaults'>;

/**
 * Returns jobs to the queue after machine faults: the lease ends and the attempt does not count. This worker
 * then skips the job for a while, about twice as long each time, so that others find it first. After
 * `JOB_MAX_RETURNS` returns the job fails. Its last runs are alone, see `Isolation`.
 */
@Injectable()
export class JobRequeuer {
  private readonly logger = new Logger('jobs');
  private readonly untilMs = new Map<string, number>();

  constructor(
    private readonly leases: JobLeaseRepository,
    private readonly completion: JobCompletion,
    @Inject(CONFIG) private readonly config: Pick<Config, 'jobMaxReturns'>,
  ) {}

  /** Ids of the jobs that this worker currently skips. */
  excluded(): readonly string[] {
    const now = performance.now();
    for (const [id, until] of this.untilMs) if (until <= now) this.untilMs.delete(id);
    return [...this.untilMs.keys()];
  }

  /** Skips a job that has to wait for disk space, so that later jobs can run. */
  skipForNow(jobId: string): void {
    this.untilMs.set(jobId, performance.now() + SPACE_PAUSE_MS);
    this.logger.warn({ jobId }, 'a job is waiting for disk space');
  }

  /**
   * Returns a job to the queue, or fails it after too many returns. Does nothing when the lease is not held.
   * @param machineFaults number of earlier returns
   * @param message the error of the job after too many returns
   * @throws database errors; the lease then expires
   */
  async requeue(
    lease: Lease,
    machineFaults: number,
    reason: string,
    message = GIVEN_UP,
  ): Promise<'returned' | 'failed'> {
    const { jobId, token } = lease;
    if (machineFaults + 1 >= this.config.jobMaxReturns) {
      await this.completion.fail(jobId, token, 'service_unavailable', message);
      this.logger.error({ jobId, machineFaults, reason }, 'job failed: returned to the queue too often');
      return 'failed';
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** machineFaults, MAX_PAUSE_MS);
    this.untilMs.set(jobId, performance.now() + pauseMs * (1 - JITTER * Math.random()));
    await this.leases.requeue(lease);
    this.logger.warn({ jobId, machineFaults: machineFaults + 1, reason }, 'job returned to the queue');
    return 'returned';
  }

  /**
   * Returns a job to the queue because its worker stops or needs its memory, or fails it after {@link MAX_RELEASES}
   * releases. Does nothing when the lease is not held.
   * @throws database errors; the lease then expires
   */
  async release({ jobId, token }: Lease, { claims, attempts, machineFaults }: Claimed): Promise<void> {
    // This claim is an attempt, too.
    const releases = claims - attempts - machineFaults;
    if (releases < MAX_RELEASES) {
      await this.leases.release({ jobId, token });
    } else if (await this.completion.fail(jobId, token, 'service_unavailable', INTERRUPTED)) {
      this.logger.error({ jobId, releases }, 'job failed: its runs were stopped too often');
    }
  }
}
