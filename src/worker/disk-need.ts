import type { ModelRoute } from '../models/manifest/model-route.js';
import { backgroundPicture, isDrawn, type JobOutput } from '../jobs/job-output.js';
import type { WaitingJob } from '../jobs/queue/fair-queue.repository.js';

/** Pixels in files have at most this many bytes each: RGBA, 8 bits a channel. */
const BYTES_PER_PIXEL = 4;

/** Disk space of a job, bytes. */
export interface DiskNeed {
  /**
   * Pixels of the rendered image, and of its source before it or of what it becomes after it. A decoder's temporary file
   * is smaller and earlier.
   */
  readonly scratchBytes: number;
  /** The encoded result: about what a photo takes as PNG. */
  readonly storeBytes: number;
}

/** An upper bound for photos; a result of noise may take more, and the job then goes back to the queue. */
export function diskNeed(
  { sourcePixels, output }: Pick<WaitingJob, 'sourcePixels' | 'output'>,
  { scale }: Pick<ModelRoute, 'scale'>,
): DiskNeed {
  const renderedPixels = sourcePixels * scale * scale;
  const resultPixels = Math.max(output.mostPixels ?? 0, renderedPixels);
  const pixels = renderedPixels + Math.max(sourcePixels, finishingPixels(output, resultPixels));
  return { scratchBytes: BYTES_PER_PIXEL * pixels, storeBytes: 2 * resultPixels };
}

/** Files beside the rendered pixels: the background as it is and in the size of the result, and the result. */
function finishingPixels(output: JobOutput, resultPixels: number): number {
  const picture = backgroundPicture(output);
  if (picture === null) return isDrawn(output) ? resultPixels : 0;
  return resultPixels + Math.max(resultPixels, picture.width * picture.height);
}
