import { AppError } from '../../../kernel/app-error.js';
import type { ErrorCode } from '../../../kernel/errors/error-codes.js';
import type { ImageFormat } from '../../../kernel/operations.js';

/** 422: the file has a supported type, but is invalid because of `reason` (public, a clause without a period). */
export function damaged(reason: string, cause?: unknown): AppError {
  const internal = cause instanceof Error ? `${reason}: ${cause.message}` : reason;
  return new AppError('undecodable_image', {
    detail: `This file isn't a valid image: ${reason}.`,
    internal,
    cause,
  });
}

const REFUSALS = [
  'undecodable_image',
  'too_many_pixels',
  'animated_image',
  'unsupported_media_type',
  'hdr_image',
] as const satisfies readonly ErrorCode[];

/** A refusal caused by the file, which a retry would repeat. */
export type ImageRefusal = AppError & { readonly code: (typeof REFUSALS)[number] };

export function isImageRefusal(error: unknown): error is ImageRefusal {
  return error instanceof AppError && REFUSALS.some((code) => code === error.code);
}

/** 415: `reason` states what the file is instead. */
export function unsupported(reason: string): AppError {
  return new AppError('unsupported_media_type', {
    detail: `${reason} Send a JPEG, PNG, WebP or AVIF image.`,
  });
}

/** Transfer functions of HDR images (ITU-T H.273, table 3). */
const HDR_TRANSFERS: Readonly<Record<number, string>> = { 16: 'PQ', 18: 'HLG' };

/**
 * The image library reads colors that are stated by code points (CICP) as sRGB. Wide primaries get a profile
 * (`statedColors`), but HDR would become a flat, gray picture.
 * @param transfer characteristics, as a code point
 * @throws AppError `hdr_image`
 */
export function refuseHdr(transfer: number): void {
  const name = HDR_TRANSFERS[transfer];
  if (name === undefined) return;
  throw new AppError('hdr_image', {
    detail: `This is an HDR image (${name}), whose colors this service can't keep. Save it in standard dynamic range (SDR).`,
  });
}

/** 422: more than one frame. */
export function animated(): AppError {
  return new AppError('animated_image');
}

/**
 * Maximum side of a source; only PNG can be longer. A PNG of 1 × 50,000,000 pixels fits in 200 kB and took
 * half a minute to decode by rows, or 700 MB rotated.
 */
const MAX_SOURCE_SIDE = 65_535;

/** @throws AppError `too_many_pixels` that names the size and the limit. */
export function assertPixels(width: number, height: number, maxPixels: number): void {
  const isTooLong = Math.max(width, height) > MAX_SOURCE_SIDE;
  if (!isTooLong && width * height <= maxPixels) return;
  const limit = isTooLong ? `${MAX_SOURCE_SIDE} pixels per side` : `${maxPixels} pixels`;
  const detail = `The image has ${width} × ${height} = ${width * height} pixels. The limit is ${limit}.`;
  throw new AppError('too_many_pixels', { detail });
}

/**
 * Refuses a source that needs too much memory for decoding.
 * @throws AppError `too_many_pixels` with both amounts and what to change
 */
export function assertDecodable(
  header: {
    readonly format: ImageFormat;
    readonly width: number;
    readonly height: number;
    readonly decodingBytes: number;
  },
  maxBytes: number,
): void {
  const { format, width, height, decodingBytes } = header;
  if (decodingBytes <= maxBytes) return;
  const detail = `Decoding this ${format.toUpperCase()} of ${width} × ${height} pixels would take about ${formatMegabytes(decodingBytes)} of memory. The limit is ${formatMegabytes(maxBytes)}. Send a smaller image, or a baseline JPEG without EXIF rotation.`;
  throw new AppError('too_many_pixels', { detail });
}

/** For messages: whole megabytes of 10^6 bytes. */
export function formatMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
