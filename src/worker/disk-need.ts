import type { ModelRoute } from '../models/manifest/model-route.js';
import type { WaitingJob } from '../jobs/queue/fair-queue.repository.js';

/** Pixels in files have at most this many bytes each: RGBA, 8 bits a channel. */
const BYTES_PER_PIXEL = 4;

/** Disk space of a job, bytes. */
export interface DiskNeed {
  /** Pixels of source and result, which exist at the same time. A decoder's temporary file is smaller and earlier. */
  readonly scratchBytes: number;
  /** The encoded result: about what a photo takes as PNG. */
  readonly storeBytes: number;
}

/** An upper bound for photos; a result of noise may take more, and the job then goes back to the queue. */
export function diskNeed(
  { sourcePixels }: Pick<WaitingJob, 'sourcePixels'>,
  { scale }: Pick<ModelRoute, 'scale'>,
): DiskNeed {
  const resultPixels = sourcePixels * scale * scale;
  return { scratchBytes: BYTES_PER_PIXEL * (sourcePixels + resultPixels), storeBytes: 2 * resultPixels };
}
