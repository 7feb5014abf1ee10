import { decodeToFile } from '../../infra/image/decode.js';
import { type JobRun, left } from '../job-run.js';
import type { Tools } from '../tools.js';

/** Turns the source's bytes into 8-bit sRGB pixels, upright, in a file. */
export async function decode(run: JobRun, { config }: Tools): Promise<void> {
  const bytes = left(run.sourceBytes, 'source bytes');
  const limits = { maxPixels: config.maxInputPixels };
  run.source = await run.stopwatch.time('decodeMs', () =>
    decodeToFile(bytes, run.room.path('source.v'), limits),
  );
  run.sourceBytes = undefined;
  run.progress = 0.1;
}
