import type { Config } from '../../config/env.js';
import type { ImageEncoder } from '../../infra/image/encoder/image-encoder.js';
import type { ImageFormat } from '../../kernel/operations.js';
import type { JobRun } from '../job-run.js';
import type { RenderedResult } from './render.js';

/** A result encoded as the job asks, in a file of the run. */
export interface EncodedResult {
  readonly path: string;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
}

/** Encodes the result and removes its pixels. A large WebP or AVIF is encoded in a process that ends with the run. */
export async function encode(
  run: JobRun,
  { result }: RenderedResult,
  encoder: ImageEncoder,
  config: Pick<Config, 'avifEffort' | 'codecMemoryBytes' | 'webpEffort' | 'pngLevel'>,
): Promise<EncodedResult> {
  const { format, quality, background } = run.job.output;
  const { width, height } = result;
  const path = run.room.path('encoded');
  const options = {
    format,
    quality: quality ?? undefined,
    background: background ?? undefined,
    avifEffort: config.avifEffort,
    maxEncodingBytes: config.codecMemoryBytes,
    webpEffort: config.webpEffort,
    pngLevel: config.pngLevel,
  };
  await run.stopwatch.time('encodeMs', () => encoder.encodeToFile(result, path, options, run.signal));
  await result.remove();
  run.progress = 0.95;
  return { path, format, width, height };
}
