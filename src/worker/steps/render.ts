import type { Enhancer } from '../../inference/enhancer.js';
import { renderedShape } from '../../inference/render-job.js';
import { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { resizeToFile } from '../../infra/image/finish/resize.js';
import { stepsOf } from '../../jobs/job-step.js';
import type { JobRun } from '../job-run.js';
import type { AnalysedSource } from './analyse.js';

const PROGRESS_BEFORE = 0.15;
const PROGRESS_AFTER = 0.9;

export interface RenderedResult {
  readonly result: PixelFile;
}

/** Renders the result tile by tile at full resolution, from file to file, and removes the source's pixels. */
export async function render(
  run: JobRun,
  { source, analysis }: AnalysedSource,
  enhancer: Enhancer,
): Promise<RenderedResult> {
  const shape = renderedShape(run.route, source);
  const target = run.resources.file(await PixelFile.create(run.room.path('result.tif'), shape));
  await run.stopwatch.time('inferenceMs', () =>
    enhancer.renderTo(run.route, { source, target }, analysis, {
      signal: run.signal,
      owner: run.job.accountId,
      onProgress: (fraction) => {
        run.progress = PROGRESS_BEFORE + (PROGRESS_AFTER - PROGRESS_BEFORE) * fraction;
      },
    }),
  );
  await target.seal();
  await source.remove();
  return { result: await resized(run, target) };
}

/** In the size that the client asked for. */
async function resized(run: JobRun, image: PixelFile): Promise<PixelFile> {
  const { resize } = stepsOf(run.job)[0]!;
  if (resize === undefined) return image;
  const result = await run.stopwatch.time('encodeMs', () =>
    resizeToFile(image, run.room.path('resized.v'), resize),
  );
  await image.remove();
  return run.resources.file(result);
}
