import { cutoutToFile } from '../../infra/image/test-picture/cutout.js';
import { markToFile } from '../../infra/image/test-picture/mark-picture.js';
import { resizeToFile } from '../../infra/image/finish/resize.js';
import { AppError } from '../../kernel/app-error.js';
import type { PixelFile } from '../../infra/image/codec/pixel-file.js';
import type { JobRun } from '../job-run.js';
import type { RunStep } from '../run-step.js';
import type { DecodedSource } from './decode.js';
import type { PictureContext } from './decode-picture.js';
import type { FinishedResult } from './finish.js';
import { mask } from './mask.js';
import type { RenderedResult } from './render.js';

/** Fails a test job that was asked to fail. @throws AppError */
export function failAsAsked({ testOutcome }: JobRun): void {
  if (testOutcome === 'no_subject_found' || testOutcome === 'processing_failed')
    throw new AppError(testOutcome);
}

/**
 * Draws what the steps of a test job would make, without a model: the source in the size of the result, cut out along
 * an oval where the operation removes the background.
 */
export async function draw(
  run: JobRun,
  { source }: DecodedSource,
  pictures: PictureContext,
): Promise<RenderedResult> {
  let image = source;
  for (const [index, step] of run.steps.entries()) {
    const beforeMs = run.stopwatch.elapsedMs('inferenceMs');
    const current = image;
    image = await run.stopwatch.time('inferenceMs', () => drawStep(run, step, index, current));
    const { mask: given } = step.step;
    if (given !== undefined) await mask(run, given, { source: null, result: image }, pictures);
    run.stepMs.push(run.stopwatch.elapsedMs('inferenceMs') - beforeMs);
  }
  run.progress = 0.9;
  return { result: image };
}

/** Writes TEST across the finished picture. */
export async function mark(run: JobRun, { result, applied }: FinishedResult): Promise<FinishedResult> {
  const marked = await run.stopwatch.time('encodeMs', () => markToFile(result, run.room.path('marked.v')));
  await result.remove();
  return { result: run.resources.file(marked), applied };
}

async function drawStep(
  run: JobRun,
  { step, route: { scale, producesAlpha } }: RunStep,
  index: number,
  image: PixelFile,
): Promise<PixelFile> {
  const { width, height } = image;
  const size = step.resize ?? { width: width * scale, height: height * scale, fit: 'fill' as const };
  let result = image;
  if (size.width !== width || size.height !== height) {
    result = run.resources.file(await resizeToFile(image, run.room.path(`drawn-${index}.v`), size));
    await image.remove();
  }
  if (!producesAlpha) return result;
  const cutout = run.resources.file(
    await cutoutToFile(result, run.room.path(`cutout-${index}.tif`), run.signal),
  );
  await result.remove();
  return cutout;
}
