import {
  type EncoderTraits,
  bestCaseEncodingBytes,
  maxPixelsEncoded,
} from '../../../infra/image/codec/codec-memory.js';
import { MAX_SIDE_PIXELS } from '../../../infra/image/codec/format-limits.js';
import { formatMegabytes } from '../../../infra/image/codec/refusals.js';
import { AppError } from '../../../kernel/app-error.js';
import { IMAGE_FORMATS, type ImageFormat } from '../../../kernel/operations.js';

/** Limits of a result: pixels, and memory for encoding. */
export interface OutputLimits {
  readonly maxOutputPixels: number;
  readonly codecMemoryBytes: number;
}

/** A requested result. */
export interface RequestedResult extends EncoderTraits {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Refuses a step whose result is too large, before anything is charged.
 * @param field of the request
 * @throws AppError `too_many_pixels` with the limit
 */
export function refuseTooManyPixels(
  { width, height }: Pick<RequestedResult, 'width' | 'height'>,
  { maxOutputPixels }: Pick<OutputLimits, 'maxOutputPixels'>,
  field: string,
): void {
  if (width * height <= maxOutputPixels) return;
  const result = field === 'operation' ? 'The result' : `The result of ${field}`;
  throw tooManyPixels(
    field,
    `${result} would have ${width} × ${height} pixels. The limit is ${maxOutputPixels} pixels.`,
  );
}

/**
 * Refuses a result that could not be encoded, before anything is charged. Some encoders keep the whole image in memory,
 * which could stop the worker and its other jobs.
 * @throws AppError `too_many_pixels` with the limit and what fits
 */
export function refuseUnencodable(
  result: RequestedResult,
  { codecMemoryBytes: maxBytes }: Pick<OutputLimits, 'codecMemoryBytes'>,
): void {
  const { width, height, format, hasAlpha } = result;
  if (!fitsAlongEdges(result, format)) {
    throw tooManyPixels(
      'output.format',
      `The result would be ${width} × ${height} pixels. ${format} allows at most ${MAX_SIDE_PIXELS[format]} pixels per side. Choose another output.format.`,
    );
  }
  const neededBytes = bestCaseEncodingBytes(result, width * height);
  if (neededBytes <= maxBytes) return;
  const maxMegapixels = Math.floor(maxPixelsEncoded(result, maxBytes) / 1e6);
  throw tooManyPixels(
    'output.format',
    `Encoding ${width} × ${height} pixels as ${format}${hasAlpha ? ' with transparency' : ''} would take about ${formatMegabytes(neededBytes)} of memory. The limit is ${formatMegabytes(maxBytes)}, enough for ${maxMegapixels} megapixels. Choose another output.format (${formatsFor(result, maxBytes).join(', ')}) or a smaller source.`,
  );
}

function tooManyPixels(field: string, message: string): AppError {
  return new AppError('too_many_pixels', {
    detail: message,
    errors: [{ field, code: 'too_many_pixels', message }],
  });
}

/** The formats in which the same pixels fit. */
function formatsFor(result: RequestedResult, maxBytes: number): ImageFormat[] {
  return IMAGE_FORMATS.filter(
    (format) =>
      (format !== 'jpeg' || !result.hasAlpha) &&
      fitsAlongEdges(result, format) &&
      bestCaseEncodingBytes({ ...result, format }, result.width * result.height) <= maxBytes,
  );
}

function fitsAlongEdges({ width, height }: RequestedResult, format: ImageFormat): boolean {
  return Math.max(width, height) <= MAX_SIDE_PIXELS[format];
}
