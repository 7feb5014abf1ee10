import { ImageEnhancement, type Source } from 'image-enhancement-client';
import { CLIENT_OPTIONS } from '../client.js';
import { withCsrfToken } from '../session/session-fetch.js';
import { uploadingFetch } from './uploading-fetch.js';

export interface UploadOptions {
  /** Told the share that was sent, 0 to 1. */
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
