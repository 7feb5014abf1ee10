import { type JobRun, left } from '../job-run.js';
import type { StepDependencies } from '../step-dependencies.js';

/** Turns the source's bytes into 8-bit sRGB pixels, upright, in a file; the work is done by another process. */
export async function decode(run: JobRun, { config, decoder }: StepDependencies): Promise<void> {
  const bytes = left(run.sourceBytes, 'source bytes');
  const limits = { maxPixels: config.maxInputPixels, expectedPixels: run.job.sourcePixels };
  run.source = await run.stopwatch.time('decodeMs', () =>
    decoder.decodeToFile(bytes, run.room.path('source.tif'), limits),
  );
  run.sourceBytes = undefined;
  run.progress = 0.1;
}
