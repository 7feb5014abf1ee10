import { InvalidImageError } from '../errors.js';

/** The largest upload that the service takes: 20 MB. */
export const MAX_FILE_BYTES = 20 * 2 ** 20;

/** What the service would say to it, without sending it there. */
export function fileTooLarge(sizeBytes: number | null): InvalidImageError {
  const size = sizeBytes === null ? 'more' : `${sizeBytes}`;
  return new InvalidImageError({
    status: 413,
    requestId: null,
    problem: {
      code: 'payload_too_large',
      detail: `The file is over 20 MB (${MAX_FILE_BYTES} bytes; it has ${size}). It was not sent.`,
    },
    retryAfterSeconds: null,
  });
}
