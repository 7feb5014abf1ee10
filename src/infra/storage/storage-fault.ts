import { AppError } from '../../kernel/app-error.js';

/** Errors of the file system that mean "no room", now and not for ever. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);
const RETRY_AFTER_SECONDS = 60;

export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What a caller should see of an error of the file system: a full disk is a 503, anything else stays as it is. */
export function storageFault(error: unknown): unknown {
  if (!FULL.has(errorCodeOf(error) ?? '')) return error;
  return new AppError('service_unavailable', {
    detail: 'The service has no room to store the image at the moment.',
    internal: 'the disk of the object store is full',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
