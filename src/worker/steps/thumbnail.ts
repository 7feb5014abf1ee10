import { thumbnailOf } from '../../infra/image/thumbnails/thumbnail.js';
import type { ObjectStore } from '../../infra/storage/object-store.js';
import { THUMBNAIL_SIDE_PIXELS, thumbnailKey } from '../../uploads/thumbnails/thumbnail.js';
import type { JobRun } from '../job-run.js';
import type { StoredResults } from '../stored-results.js';
import type { FinishedResult } from './finish.js';

/**
 * Creates the thumbnail while the result's pixels are available.
 * @returns WebP; undefined on failure, which does not fail the job
 */
export async function makeThumbnail(run: JobRun, { result }: FinishedResult): Promise<Buffer | undefined> {
  const { format, background } = run.job.output;
  const color = typeof background === 'string' ? background : undefined;
  return thumbnailOf(result, THUMBNAIL_SIDE_PIXELS, { format, background: color }).catch(() => undefined);
}

/**
 * Stores it after the result is recorded, because erasing the result erases the thumbnail. The result may have been
 * erased before the thumbnail was stored, so the thumbnail is deleted unless the result still exists. Never throws: the
 * orphan sweep deletes a thumbnail that cannot be deleted now.
 */
export async function storeThumbnail(
  run: JobRun,
  thumbnail: Buffer,
  { store, results }: { readonly store: ObjectStore; readonly results: StoredResults },
): Promise<void> {
  const key = thumbnailKey(run.job.id);
  // A failed write may still have stored it.
  await store.put(key, thumbnail).catch(() => undefined);
  const exists = await results.exists(run).catch(() => false);
  if (!exists) await store.delete(key).catch(() => undefined);
}
