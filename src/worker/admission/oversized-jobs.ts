import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AbleWorkersRepository } from '../../jobs/queue/able-workers.repository.js';
import { JobLeaseRepository } from '../../jobs/queue/job-lease.repository.js';
import { ModelPresence } from '../../models/serving/model-presence.js';
import { JobRequeuer } from '../job-requeuer.js';
import { newLeaseToken } from '../lease-token.js';
import { diskNeed } from './disk-need.js';
import type { Candidate } from './job-candidates.js';
import { LargeJobs, TOO_LARGE } from './large-jobs.js';
import { WorkerStorage } from './worker-storage.js';

/**
 * Leaves jobs that need more disk space than this machine has to workers with larger disks. A job for which no serving
 * worker has reported a disk that is large enough must end some time, so its returns are counted; see `LargeJobs`.
 */
@Injectable()
export class OversizedJobs {
  private readonly large: LargeJobs;

  constructor(
    private readonly storage: WorkerStorage,
    private readonly workers: AbleWorkersRepository,
    private readonly presence: ModelPresence,
    private readonly leases: JobLeaseRepository,
    private readonly requeuer: JobRequeuer,
    @Inject(CONFIG) private readonly config: Pick<Config, 'jobLeaseMs' | 'jobUnservedMs'>,
  ) {
    this.large = new LargeJobs(config.jobUnservedMs);
  }

  /** Ids of the jobs that this worker currently skips. */
  skipped(): Iterable<string> {
    return this.large.skipped();
  }

  /**
   * Declines a job if it is too large for the disk here. A disk that cannot be read declines nothing: its reservation
   * fails in the same way and suspends the worker.
   * @returns whether the job was declined
   * @throws database errors
   */
  async decline({ job, steps }: Candidate): Promise<boolean> {
    const need = diskNeed(job, steps);
    if (!(await this.storage.isTooSmallFor(need).catch(() => false))) return false;
    if (this.large.skip(job)) return true;
    if (await this.workers.hasDiskFor(job.id, need.scratchBytes, this.presence.workerId)) {
      this.large.wait(job);
      return true;
    }
    const lease = { jobId: job.id, token: newLeaseToken() };
    const claim = await this.leases.claim(lease, this.config.jobLeaseMs);
    if (claim === undefined) return true;
    this.large.counted(job.id, claim.number);
    await this.requeuer.requeue(lease, job.machineFaults, TOO_LARGE.reason, TOO_LARGE.message);
    return true;
  }
}
