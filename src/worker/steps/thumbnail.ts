import { thumbnailOf } from '../../infra/image/thumbnails/thumbnail.js';
import type { ObjectStore } from '../../infra/storage/object-store.js';
import { THUMBNAIL_SIDE_PIXELS, thumbnailKey } from '../../uploads/thumbnails/thumbnail.js';
import type { JobRun } from '../job-run.js';
import type { RenderedResult } from './render.js';

/**
 * Makes the small image that lists show, while the result's pixels are at hand.
 * @returns WebP; undefined when it could not be made, which fails no job
 */
export async function makeThumbnail(run: JobRun, { result }: RenderedResult): Promise<Buffer | undefined> {
  return run.stopwatch
    .time('encodeMs', () => thumbnailOf(result, THUMBNAIL_SIDE_PIXELS))
    .catch(() => undefined);
}

/** Stores it once the result is recorded: whatever erases the result erases the thumbnail, too. */
export async function storeThumbnail(run: JobRun, thumbnail: Buffer, store: ObjectStore): Promise<void> {
  await store.put(thumbnailKey(run.job.id), thumbnail).catch(() => undefined);
}
