import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../infra/storage/object-store.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import type { JobRun } from './job-run.js';

/** Results that runs of this worker have stored. */
@Injectable()
export class StoredResults {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly store: ObjectStore,
  ) {}

  /**
   * Whether the object that this run stored is the job's result. If the response of a commit is lost, the run
   * finds its lease gone although it completed the job itself.
   */
  async isRecorded(run: JobRun): Promise<boolean> {
    return (await this.jobs.findById(run.job.id))?.resultKey === run.resultKey;
  }

  /** Whether the job has a result that was not erased. */
  async exists(run: JobRun): Promise<boolean> {
    const job = await this.jobs.findById(run.job.id);
    return job !== undefined && job.resultKey !== null && job.resultErasedAt === null;
  }

  /**
   * Deletes what a run stored unless the job refers to it. Never throws: if the database is unavailable, the
   * orphan sweep deletes the object later.
   */
  async discard(run: JobRun): Promise<void> {
    if (run.resultKey === undefined) return;
    try {
      if (!(await this.isRecorded(run))) await this.store.delete(run.resultKey);
    } catch {
      // The orphan sweep deletes it.
    }
  }
}
