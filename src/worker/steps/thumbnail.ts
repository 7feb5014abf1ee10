import { thumbnailOf } from '../../infra/image/thumbnails/thumbnail.js';
import { THUMBNAIL_SIDE_PIXELS, thumbnailKey } from '../../uploads/thumbnails/thumbnail.js';
import { type JobRun, left } from '../job-run.js';
import type { StepDependencies } from '../step-dependencies.js';

/** Makes the small picture that lists show, while the result's pixels are there. A job never fails for want of it. */
export async function thumbnail(run: JobRun): Promise<void> {
  const pixels = left(run.rendered, 'rendered pixels');
  run.thumbnail = await run.stopwatch
    .time('encodeMs', () => thumbnailOf(pixels, THUMBNAIL_SIDE_PIXELS))
    .catch(() => undefined);
}

/** Keeps it, once there is a result for it to go with: whoever erases the result erases it too. */
export async function keepThumbnail(run: JobRun, { store }: StepDependencies): Promise<void> {
  const { thumbnail: picture } = run;
  if (picture !== undefined && run.isCompleted === true)
    await store.put(thumbnailKey(run.job.id), picture).catch(() => undefined);
}
