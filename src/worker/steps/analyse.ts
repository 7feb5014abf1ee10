import { analysisImage } from '../../infra/image/codec/analysis-image.js';
import { type JobRun, left } from '../job-run.js';
import type { DeviceStepDependencies } from '../step-dependencies.js';

/** Looks at the whole image at a fixed small size, where the operation has such a stage. */
export async function analyse(run: JobRun, { enhancer }: DeviceStepDependencies): Promise<void> {
  const stage = run.route.analyse;
  if (stage === null) {
    run.analysis = null;
    return;
  }
  const source = left(run.source, 'source pixels');
  const small = await run.stopwatch.time('decodeMs', () => analysisImage(source, stage.size));
  run.analysis = await run.stopwatch.time('inferenceMs', () =>
    enhancer.analyse(run.route, small, run.signal),
  );
  run.progress = 0.15;
}
