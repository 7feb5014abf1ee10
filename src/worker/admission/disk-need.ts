import { backgroundPicture, isDrawn, type JobOutput } from '../../jobs/job-output.js';
import type { WaitingJob } from '../../jobs/queue/fair-queue.repository.js';
import type { ModelRoute } from '../../models/manifest/model-route.js';
import { resultPixels, type StepSize } from '../run-step.js';

/** Pixels in files have at most this many bytes each: RGBA, 8 bits a channel. */
const BYTES_PER_PIXEL = 4;

/** Disk space of a job, bytes. */
export interface DiskNeed {
  /**
   * Pixels of the rendered image of the largest step, plus those of its source or of its resized result, whichever is
   * larger. A decoder's temporary file is smaller and exists earlier.
   */
  readonly scratchBytes: number;
  /** The encoded result: about what a photo takes as PNG. */
  readonly storeBytes: number;
}

/** An upper bound for photos; a result of noise may take more, and the job then goes back to the queue. */
export function diskNeed({ output }: Pick<WaitingJob, 'output'>, steps: readonly StepSize[]): DiskNeed {
  const lastPixels = resultPixels(steps.at(-1)!);
  const mostPixels = Math.max(output.mostPixels ?? 0, lastPixels);
  const pixels = Math.max(...steps.map(stepPixels), lastPixels + finishingPixels(output, mostPixels));
  return { scratchBytes: BYTES_PER_PIXEL * pixels, storeBytes: 2 * mostPixels };
}

/** The disk space of a comparison of two versions of a model: the photo, and both results. */
export function comparisonDiskNeed(
  { sourcePixels }: Pick<WaitingJob, 'sourcePixels'>,
  { scale }: Pick<ModelRoute, 'scale'>,
): DiskNeed {
  return { scratchBytes: BYTES_PER_PIXEL * sourcePixels * (1 + 2 * scale * scale), storeBytes: 0 };
}

function stepPixels(each: StepSize): number {
  const { pixels, resize, mask } = each.step;
  const rendered = resultPixels(each);
  // Once in its own size, and twice in the size of the result.
  const masks = mask === undefined ? 0 : mask.width * mask.height + 2 * rendered;
  return rendered + masks + Math.max(pixels, resize === undefined ? 0 : resize.width * resize.height);
}

/** Files beside the rendered pixels: the background as it is and in the size of the result, and the result. */
function finishingPixels(output: JobOutput, mostPixels: number): number {
  const picture = backgroundPicture(output);
  if (picture === null) return isDrawn(output) ? mostPixels : 0;
  return mostPixels + Math.max(mostPixels, picture.width * picture.height);
}
