import type { Enhancer } from '../../inference/enhancer.js';
import { renderedShape } from '../../inference/render-job.js';
import { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { resizeToFile } from '../../infra/image/finish/resize.js';
import { enlargeable } from '../../infra/image/transparency/alpha-bleed-source.js';
import type { JobRun } from '../job-run.js';
import type { RunStep } from '../run-step.js';
import type { AnalysedSource } from './analyse.js';

export interface RenderedResult {
  readonly result: PixelFile;
}

/** A rendering of one step of a job. */
export interface Rendering extends RunStep {
  /** Distinguishes the files of the step in the folder of the run. */
  readonly index: number;
  /** Called with the completed share, rising to 1. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Renders the result tile by tile at full resolution, from file to file, and removes the source's pixels before it is
 * resized. A mask still needs them.
 */
export async function render(
  run: JobRun,
  rendering: Rendering,
  { source, analysis }: AnalysedSource,
  enhancer: Enhancer,
): Promise<RenderedResult> {
  const { step, route, index, onProgress } = rendering;
  const shape = renderedShape(route, source);
  const target = run.resources.file(await PixelFile.create(run.room.path(`result-${index}.tif`), shape));
  const { signal, job } = run;
  const pixels = { source: enlargeable(source, route.scale), target };
  await run.stopwatch.time('inferenceMs', () =>
    enhancer.renderTo(route, pixels, analysis, { signal, owner: job.accountId, onProgress }),
  );
  await target.seal();
  if (step.mask === undefined) await source.remove();
  return { result: await resized(run, rendering, target) };
}

/** Resizes the result to the size that the client asked for. */
async function resized(run: JobRun, { step, index }: Rendering, image: PixelFile): Promise<PixelFile> {
  const { resize } = step;
  if (resize === undefined) return image;
  const result = await run.stopwatch.time('encodeMs', () =>
    resizeToFile(image, run.room.path(`resized-${index}.v`), resize),
  );
  await image.remove();
  return run.resources.file(result);
}
