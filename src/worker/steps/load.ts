import { AppError } from '../../kernel/app-error.js';
import type { JobRun } from '../job-run.js';
import type { StepDependencies } from '../step-dependencies.js';

/** Reads the source's bytes, and makes the folder for what comes of them. */
export async function load(run: JobRun, { sources, store }: StepDependencies): Promise<void> {
  const source = await sources.find(run.job.accountId, run.job.sourceId);
  if (source === null || source.deletedAt !== null) {
    throw new AppError('gone', { detail: 'The source was deleted before the job could use it.' });
  }
  await run.room.make();
  run.sourceBytes = await store.read(source.objectKey);
  run.progress = 0.05;
}
