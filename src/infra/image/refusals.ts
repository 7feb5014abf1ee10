import { AppError } from '../../kernel/app-error.js';

/** 422: the bytes are of a right type, but `reason` (public, a clause without full stop) stands in the way. */
export function damaged(reason: string, cause?: unknown): AppError {
  const internal = cause instanceof Error ? `${reason}: ${cause.message}` : reason;
  return new AppError('undecodable_image', {
    detail: `The image cannot be decoded: ${reason}.`,
    internal,
    cause,
  });
}

/** 415: `reason` says what the bytes are instead. */
export function unsupported(reason: string): AppError {
  return new AppError('unsupported_media_type', {
    detail: `${reason} Send a JPEG, PNG, WebP or AVIF image.`,
  });
}

/** 422: more than one frame. */
export function animated(): AppError {
  return new AppError('animated_image');
}

/** @throws AppError `too_many_pixels` that names the size and the limit. */
export function assertPixels(width: number, height: number, maxPixels: number): void {
  if (width * height <= maxPixels) return;
  const detail = `The image is ${width} × ${height} = ${width * height} pixels; at most ${maxPixels} are allowed.`;
  throw new AppError('too_many_pixels', { detail });
}
