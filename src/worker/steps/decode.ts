import type { Config } from '../../config/env.js';
import type { PixelFile } from '../../infra/image/codec/pixel-file.js';
import type { ImageDecoder } from '../../infra/image/decoder/image-decoder.js';
import type { MetadataOrder } from '../../infra/image/metadata/kept-metadata.js';
import { digitalSourceType, type JobOutput } from '../../jobs/job-output.js';
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
  const { job, signal } = run;
  const metadata = metadataOrder(job.output);
  const limits = { maxPixels: maxInputPixels, expectedPixels: job.sourcePixels, signal, metadata };
  const decoded = await run.stopwatch.time('decodeMs', () =>
    decoder.decode(bytes, run.room.path('source.tif'), limits),
  );
  if (decoded.metadata !== undefined) run.metadata = decoded.metadata;
  run.progress = 0.1;
  return { source: run.resources.file(decoded.pixels) };
}

/** Undefined when the result has no metadata. */
function metadataOrder(output: JobOutput): MetadataOrder | undefined {
  const { metadata: mode = 'strip' } = output;
  const sourceType = digitalSourceType(output);
  return mode === 'strip' && sourceType === undefined ? undefined : { mode, sourceType };
}
