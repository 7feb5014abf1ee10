import type { JobsRepository } from '../jobs/jobs.repository.js';
import type { JobRun } from './job-run.js';
import type { StepDependencies } from './step-dependencies.js';

/**
 * Whether what this run has stored is the job's result. A commit may get through whose answer is lost with the
 * connection: the run then finds its lease gone although it was itself who ended the job.
 */
export async function isRecorded(run: JobRun, jobs: JobsRepository): Promise<boolean> {
  return (await jobs.findById(run.job.id))?.resultKey === run.resultKey;
}

/**
 * Deletes what a run has stored in vain. Never throws: when the database cannot tell whether it is wanted, it stays
 * for the housekeeper, which deletes objects that no row speaks of.
 */
export async function discardResult(run: JobRun, { jobs, store }: StepDependencies): Promise<void> {
  if (run.resultKey === undefined) return;
  try {
    if (!(await isRecorded(run, jobs))) await store.delete(run.resultKey);
  } catch {
    // As said above.
  }
}
