import type { ModelRoute } from '../models/manifest/model-route.js';
import { decodingBytes, encodingBytes, mostDecodingBytes } from '../infra/image/codec/codec-memory.js';
import { renderingBytes } from '../inference/rendering-memory.js';
import { backgroundPicture, type JobOutput } from '../jobs/job-output.js';
import type { WaitingJob } from '../jobs/queue/fair-queue.repository.js';

/** Base memory of a job: the source file, and garbage that is collected late. */
const ANY_JOB_BYTES = 12 * 2 ** 20;

/**
 * Peak memory of a job, bytes. Its steps run one after the other, so the largest step counts. A job that lost
 * its worker before takes the whole budget and runs alone, in case it is what kills workers.
 */
export function memoryNeed(job: WaitingJob, route: Pick<ModelRoute, 'scale'>): number {
  if (job.attempts > 0) return Infinity;
  const { scale } = route;
  const { sourcePixels, sourceFormat, sourceDecodingBytes, output } = job;
  const resultPixels = Math.max(output.mostPixels ?? 0, sourcePixels * scale * scale);
  return (
    ANY_JOB_BYTES +
    Math.max(
      decodingBytes(sourceFormat, sourcePixels),
      sourceDecodingBytes ?? mostDecodingBytes(sourceFormat, sourcePixels),
      renderingBytes(sourcePixels, scale),
      encodingBytes(output.format, resultPixels),
      backgroundBytes(output),
    )
  );
}

/** For decoding the upload behind the subject. */
function backgroundBytes(output: JobOutput): number {
  const picture = backgroundPicture(output);
  return picture === null ? 0 : mostDecodingBytes(picture.format, picture.width * picture.height);
}
