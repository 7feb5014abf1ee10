import { encodeToFile } from '../../infra/image/codec/encode.js';
import { type JobRun, left } from '../job-run.js';
import type { StepDependencies } from '../step-dependencies.js';

/** Encodes the result as the job asks. */
export async function encode(run: JobRun, { config }: StepDependencies): Promise<void> {
  const pixels = left(run.rendered, 'rendered pixels');
  const { format, quality, background } = run.job.output;
  const path = run.room.path('encoded');
  await run.stopwatch.time('encodeMs', () =>
    encodeToFile(pixels, path, {
      format,
      quality: quality ?? undefined,
      background: background ?? undefined,
      avifEffort: config.avifEffort,
      maxEncodingBytes: config.codecMemoryBytes,
      webpEffort: config.webpEffort,
      pngLevel: config.pngLevel,
    }),
  );
  run.encoded = { path, format, width: pixels.width, height: pixels.height };
  run.rendered = undefined;
  await pixels.remove();
  run.progress = 0.95;
}
