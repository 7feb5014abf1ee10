import type { Config } from '../../config/env.js';
import type { PixelFile } from '../../infra/image/codec/pixel-file.js';
import type { ImageDecoder } from '../../infra/image/decoder/image-decoder.js';
import type { JobRun } from '../job-run.js';
import type { LoadedSource } from './load-source.js';

/** A source as 8-bit sRGB pixels, upright. */
export interface DecodedSource {
  readonly source: PixelFile;
}

/**
 * Decodes the source into a file; a separate process does the work and ends with the run.
 * @throws AppError `undecodable_image`
 */
export async function decode(
  run: JobRun,
  { bytes }: LoadedSource,
  decoder: ImageDecoder,
  { maxInputPixels }: Pick<Config, 'maxInputPixels'>,
): Promise<DecodedSource> {
  const limits = { maxPixels: maxInputPixels, expectedPixels: run.job.sourcePixels, signal: run.signal };
  const source = await run.stopwatch.time('decodeMs', () =>
    decoder.decodeToFile(bytes, run.room.path('source.tif'), limits),
  );
  run.progress = 0.1;
  return { source: run.resources.file(source) };
}
