import type { Enhancer } from '../../inference/enhancer.js';
import type { JobRun } from '../job-run.js';
import { analyse } from './analyse.js';
import type { DecodedSource } from './decode.js';
import type { PictureContext } from './decode-picture.js';
import { mask } from './mask.js';
import { render, type RenderedResult } from './render.js';

const PROGRESS_BEFORE = 0.1;
const PROGRESS_AFTER = 0.9;
/** The part of a step that its analysis takes. */
const ANALYSIS_SHARE = 1 / 16;

/** Runs a stage of the pipeline, for example in a span of the trace. */
export type RunStage = <Output>(name: string, work: () => Promise<Output>) => Promise<Output>;

/**
 * Runs the steps of the job one after the other, each on the pixels of the one before, which are removed as soon as the
 * next step has rendered its own. Progress rises with the pixels that the steps read.
 */
export async function enhance(
  run: JobRun,
  { source }: DecodedSource,
  enhancer: Enhancer,
  { stage, pictures }: { readonly stage: RunStage; readonly pictures: PictureContext },
): Promise<RenderedResult> {
  const allPixels = run.steps.reduce((sum, { step }) => sum + step.pixels, 0);
  let result = source;
  let pixelsBefore = 0;
  for (const [index, { step, route }] of run.steps.entries()) {
    const beforeMs = run.stopwatch.elapsedMs('inferenceMs');
    const doneBefore = pixelsBefore;
    const onProgress = (fraction: number): void => {
      const share = (doneBefore + fraction * step.pixels) / allPixels;
      run.progress = PROGRESS_BEFORE + (PROGRESS_AFTER - PROGRESS_BEFORE) * share;
    };
    const image = result;
    const analysed = await stage('analyse', () => analyse(run, route, { source: image }, enhancer));
    onProgress(ANALYSIS_SHARE);
    const rendering = {
      step,
      route,
      index,
      onProgress: (fraction: number) => onProgress(ANALYSIS_SHARE + (1 - ANALYSIS_SHARE) * fraction),
    };
    const rendered = await stage('render', () => render(run, rendering, analysed, enhancer));
    result = rendered.result;
    const { mask: given } = step;
    if (given !== undefined) {
      await stage('mask', () => mask(run, given, { source: image, result: rendered.result }, pictures));
      await image.remove();
    }
    pixelsBefore += step.pixels;
    run.stepMs.push(run.stopwatch.elapsedMs('inferenceMs') - beforeMs);
  }
  return { result };
}
