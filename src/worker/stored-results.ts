import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../infra/storage/object-store.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import type { JobRun } from './job-run.js';

/** The results that runs of this worker have stored, wanted or not. */
@Injectable()
export class StoredResults {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly store: ObjectStore,
  ) {}

  /**
   * Whether the object that this run stored is the job's result. A commit may succeed although its answer is lost with
   * the connection; the run then finds that it no longer holds the lease, because it ended the job itself.
   */
  async isRecorded(run: JobRun): Promise<boolean> {
    return (await this.jobs.findById(run.job.id))?.resultKey === run.resultKey;
  }

  /**
   * Deletes what a run stored unless the job refers to it. Never throws: when the database cannot tell, the object
   * stays until the orphan sweep, which deletes objects without a row.
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
