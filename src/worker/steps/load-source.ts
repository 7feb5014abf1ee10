import type { ObjectStore } from '../../infra/storage/object-store.js';
import { AppError } from '../../kernel/app-error.js';
import type { SourcesRepository } from '../../uploads/sources/sources.repository.js';
import type { JobRun } from '../job-run.js';

/** The uploaded source. */
export interface LoadedSource {
  readonly bytes: Buffer;
}

/**
 * Reads the source's bytes and creates the folder for the files of the run.
 * @throws AppError `gone` when the source was deleted
 */
export async function loadSource(
  run: JobRun,
  sources: SourcesRepository,
  store: ObjectStore,
): Promise<LoadedSource> {
  const source = await sources.find(run.job.accountId, run.job.sourceId);
  if (source === null || source.deletedAt !== null) {
    throw new AppError('gone', { detail: 'The source was deleted before the job started.' });
  }
  await run.room.make();
  const bytes = await store.read(source.objectKey);
  run.progress = 0.05;
  return { bytes };
}
