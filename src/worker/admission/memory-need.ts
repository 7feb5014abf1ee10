import {
  decodingBytes,
  encodingBytes,
  worstCaseDecodingBytes,
} from '../../infra/image/codec/codec-memory.js';
import { renderingBytes } from '../../inference/rendering-memory.js';
import { backgroundPicture } from '../../jobs/job-output.js';
import type { WaitingJob } from '../../jobs/queue/fair-queue.repository.js';
import type { StepMask } from '../../kernel/step-options.js';
import type { ModelRoute } from '../../models/manifest/model-route.js';
import { resultPixels, type StepSize } from '../run-step.js';

/** Base memory of a job: the source file, and garbage that is collected late. */
const ANY_JOB_BYTES = 12 * 2 ** 20;

/** Peak memory of a job, bytes. Its parts run one after the other, so the largest one counts. */
export function memoryNeed(job: WaitingJob, steps: readonly StepSize[]): number {
  const { sourcePixels, sourceFormat, sourceDecodingBytes, output } = job;
  const mostPixels = Math.max(output.mostPixels ?? 0, resultPixels(steps.at(-1)!));
  return (
    ANY_JOB_BYTES +
    Math.max(
      decodingBytes(sourceFormat, sourcePixels),
      sourceDecodingBytes ?? worstCaseDecodingBytes(sourceFormat, sourcePixels),
      ...steps.map(({ step, route }) => renderingBytes(step.pixels, route.scale)),
      ...steps.map(({ step }) => pictureBytes(step.mask)),
      encodingBytes({ format: output.format, hasAlpha: mayHaveAlpha(job, steps) }, mostPixels),
      pictureBytes(backgroundPicture(output)),
    )
  );
}

/** Whether the result may be transparent. A JPEG never is, so it gets transparency only from a step. */
function mayHaveAlpha({ sourceFormat, output }: WaitingJob, steps: readonly StepSize[]): boolean {
  if (output.kind !== undefined || typeof output.background === 'string') return false;
  return sourceFormat !== 'jpeg' || steps.some(({ route }) => route.producesAlpha);
}

/** Peak memory of a comparison of two versions of a model, bytes. They run one after the other. */
export function comparisonMemoryNeed(
  { sourcePixels, sourceFormat }: Pick<WaitingJob, 'sourcePixels' | 'sourceFormat'>,
  { scale }: Pick<ModelRoute, 'scale'>,
): number {
  return (
    ANY_JOB_BYTES +
    Math.max(
      decodingBytes(sourceFormat, sourcePixels),
      worstCaseDecodingBytes(sourceFormat, sourcePixels),
      renderingBytes(sourcePixels, scale),
    )
  );
}

/** For decoding an upload that is used besides the source. */
function pictureBytes(picture: Omit<StepMask, 'sourceId'> | null | undefined): number {
  return picture == null ? 0 : worstCaseDecodingBytes(picture.format, picture.width * picture.height);
}
