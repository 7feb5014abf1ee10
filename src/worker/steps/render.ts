import { type JobRun, left } from '../job-run.js';
import type { Tools } from '../tools.js';

const BEFORE = 0.15;
const AFTER = 0.9;

/** Makes the result's pixels, tile by tile at full resolution. */
export async function render(run: JobRun, { enhancer }: Tools): Promise<void> {
  const source = left(run.source, 'source pixels');
  const analysis = left(run.analysis, 'analysis');
  run.rendered = await run.stopwatch.time('inferenceMs', () =>
    enhancer.render(run.route, source, analysis, {
      signal: run.signal,
      onProgress: (fraction) => {
        run.progress = BEFORE + (AFTER - BEFORE) * fraction;
      },
    }),
  );
  run.source = undefined;
}
