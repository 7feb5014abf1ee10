import { decodeImage } from '../../infra/image/decode.js';
import { type JobRun, left } from '../job-run.js';
import type { Tools } from '../tools.js';

/** Turns the source's bytes into 8-bit sRGB pixels, upright. */
export async function decode(run: JobRun, { config }: Tools): Promise<void> {
  const bytes = left(run.sourceBytes, 'source bytes');
  const limits = { maxPixels: config.maxInputPixels };
  run.source = await run.stopwatch.time('decodeMs', () => decodeImage(bytes, limits));
  run.sourceBytes = undefined;
  run.progress = 0.1;
}
