import { InvalidImageError } from '../errors.js';

/** Maximum upload size of the service: 20 MB. */
export const MAX_FILE_BYTES = 20 * 2 ** 20;

/** The error that the service would return, without sending the file. */
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
