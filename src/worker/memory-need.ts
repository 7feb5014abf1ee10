import type { ModelRoute } from '../models/manifest/model-route.js';
import { decodingBytes, encodingBytes, mostDecodingBytes } from '../infra/image/codec/codec-memory.js';
import { renderingBytes } from '../inference/rendering-memory.js';
import type { WaitingJob } from '../jobs/queue/fair-queue.repository.js';

/** What any job takes: the source's file, and what the collector lets go late. */
const ANY_JOB_BYTES = 12 * 2 ** 20;

/**
 * The most a job takes at once, bytes: its steps come one after the other, so it is that of the hungriest.
 * A job that lost its worker before takes all there is, hence runs alone: if it is what kills workers, it must not
 * take others with it again.
 */
export function memoryNeed(job: WaitingJob, route: Pick<ModelRoute, 'scale'>): number {
  if (job.attempts > 0) return Infinity;
  const { scale } = route;
  const { sourcePixels, sourceFormat, sourceDecodingBytes, output } = job;
  return (
    ANY_JOB_BYTES +
    Math.max(
      decodingBytes(sourceFormat, sourcePixels),
      sourceDecodingBytes ?? mostDecodingBytes(sourceFormat, sourcePixels),
      renderingBytes(sourcePixels, scale),
      encodingBytes(output.format, sourcePixels * scale * scale),
    )
  );
}
