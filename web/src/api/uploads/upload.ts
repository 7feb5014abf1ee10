import { ImageEnhancement, type Source } from 'image-enhancement-client';
import { CLIENT_OPTIONS } from '../client.js';
import { withCsrfToken } from '../session/session-fetch.js';
import { uploadingFetch } from './uploading-fetch.js';

const MAX_RETRIES = 4;
const MAX_WAIT_MS = 180_000;

export interface UploadOptions {
  /** Called with the fraction that was sent, 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Uploads one photo. @throws ApiError, ConnectionError, or the reason of the signal */
export function uploadPhoto(file: File, { onProgress, signal }: UploadOptions): Promise<Source> {
  const client = new ImageEnhancement({
    ...CLIENT_OPTIONS,
    fetch: withCsrfToken(uploadingFetch(onProgress)),
  });
  return client.upload(file, { signal, timeoutMs: Infinity });
}

/**
 * Uploads one of many photos. Waits when the rate limit is reached, and retries after a broken connection.
 * @param idempotencyKey the same for every attempt, so that only one photo is stored
 */
export function uploadOneOfMany(file: File, idempotencyKey: string, signal: AbortSignal): Promise<Source> {
  const patient = { ...CLIENT_OPTIONS, maxRetries: MAX_RETRIES, maxRateLimitWaitMs: MAX_WAIT_MS };
  return new ImageEnhancement(patient).upload(file, { signal, idempotencyKey, timeoutMs: Infinity });
}
