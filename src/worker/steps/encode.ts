import type { Config } from '../../config/env.js';
import { DEFAULT_QUALITY, type EncodeOptions } from '../../infra/image/codec/encode.js';
import type { ImageEncoder } from '../../infra/image/encoder/image-encoder.js';
import { AppError } from '../../kernel/app-error.js';
import type { AppliedOutput } from '../../kernel/output-options.js';
import type { ImageFormat } from '../../kernel/operations.js';
import { digitalSourceType } from '../../jobs/job-output.js';
import type { JobRun } from '../job-run.js';
import type { FinishedResult } from './finish.js';

/** A result encoded as the job asks, in a file of the run. */
export interface EncodedResult {
  readonly path: string;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly applied: AppliedOutput;
}

type EncodeConfig = Pick<Config, 'avifEffort' | 'codecMemoryBytes' | 'webpEffort' | 'pngLevel'>;

/**
 * Encodes the result. A large WebP or AVIF is encoded in a process that ends with the run.
 * @throws AppError `result_too_large` when it does not fit into `output.maxBytes` at any quality
 */
export async function encode(
  run: JobRun,
  { result, applied }: FinishedResult,
  encoder: ImageEncoder,
  config: EncodeConfig,
): Promise<EncodedResult> {
  const { output } = run.job;
  const { format } = output;
  const { width, height } = result;
  const path = run.room.path('encoded');
  const options = encodeOptions(run, config);
  const quality = await run.stopwatch.time('encodeMs', async () => {
    if (output.maxBytes === undefined) {
      await encoder.encodeToFile(result, path, options, run.signal);
      return qualityOf(options);
    }
    const fitting = await encoder.encodeWithin(
      result,
      path,
      { ...options, maxBytes: output.maxBytes },
      run.signal,
    );
    if (fitting.bytes > output.maxBytes) throw tooLarge(format, fitting, output.maxBytes);
    return format === 'png' ? undefined : fitting.quality;
  });
  run.progress = 0.95;
  return { path, format, width, height, applied: { ...applied, ...encodedAs(run, quality) } };
}

function encodeOptions({ job, metadata }: JobRun, config: EncodeConfig): EncodeOptions {
  const { format, quality, background, kind } = job.output;
  return {
    format,
    quality: quality ?? undefined,
    background: typeof background === 'string' ? background : undefined,
    avifEffort: config.avifEffort,
    maxEncodingBytes: config.codecMemoryBytes,
    webpEffort: config.webpEffort,
    pngLevel: config.pngLevel,
    isGray: kind !== undefined,
    metadata,
  };
}

const qualityOf = ({ format, quality }: EncodeOptions): number | undefined =>
  format === 'png' ? undefined : (quality ?? DEFAULT_QUALITY[format]);

function encodedAs({ job }: JobRun, quality: number | undefined): AppliedOutput {
  const { output } = job;
  const sourceType = digitalSourceType(output);
  return {
    ...(output.background !== null && {
      background: typeof output.background === 'string' ? 'color' : 'picture',
    }),
    kind: output.kind ?? 'image',
    ...(quality !== undefined && { quality }),
    metadata: output.metadata ?? 'strip',
    ...(sourceType !== undefined && { digitalSourceType: sourceType }),
  };
}

const FORMAT_NAMES: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  avif: 'AVIF',
};

function tooLarge(
  format: ImageFormat,
  { quality, bytes }: { readonly quality: number; readonly bytes: number },
  maxBytes: number,
): AppError {
  const how = `as ${FORMAT_NAMES[format]}${format === 'png' ? '' : ` at quality ${quality}`}`;
  const remedy =
    format === 'png'
      ? 'Choose another output.format, or allow more bytes.'
      : 'Ask for a smaller picture, or allow more bytes.';
  return new AppError('result_too_large', {
    detail: `The result takes ${bytes} bytes ${how}. output.maxBytes allows ${maxBytes}. ${remedy}`,
  });
}
