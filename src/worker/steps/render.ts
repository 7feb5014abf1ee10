import { renderedShape } from '../../inference/render-job.js';
import { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { type JobRun, left } from '../job-run.js';
import type { DeviceStepDependencies } from '../step-dependencies.js';

const BEFORE = 0.15;
const AFTER = 0.9;

/** Makes the result's pixels, tile by tile at full resolution, from file to file. */
export async function render(run: JobRun, { enhancer }: DeviceStepDependencies): Promise<void> {
  const source = left(run.source, 'source pixels');
  const analysis = left(run.analysis, 'analysis');
  const target = await PixelFile.create(run.room.path('result.tif'), renderedShape(run.route, source));
  run.rendered = target;
  await run.stopwatch.time('inferenceMs', () =>
    enhancer.renderTo(run.route, { source, target }, analysis, {
      signal: run.signal,
      owner: run.job.accountId,
      onProgress: (fraction) => {
        run.progress = BEFORE + (AFTER - BEFORE) * fraction;
      },
    }),
  );
  await target.seal();
  run.source = undefined;
  await source.remove();
}
