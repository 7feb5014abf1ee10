import { ApiError, problemOf, unreachable } from './api-error.js';
import { API_BASE, CSRF_HEADER, csrfToken, retryAfterSeconds, withFreshToken } from './http.js';
import type { Source } from './source.js';

export interface UploadOptions {
  /** Told the share that was sent, 0–1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads one photo. Not `fetch`, which cannot tell how much it has sent.
 * @throws ApiError when it is refused; DOMException `AbortError` when the signal says so
 */
export function uploadPhoto(file: File, options: UploadOptions): Promise<Source> {
  return withFreshToken(() => uploadOnce(file, options));
}

async function uploadOnce(file: File, { onProgress, signal }: UploadOptions): Promise<Source> {
  const token = await csrfToken();
  const form = new FormData();
  form.append('file', file, file.name);
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const upload = new XMLHttpRequest();
    const abort = () => upload.abort();
    signal.addEventListener('abort', abort);
    upload.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    upload.addEventListener('load', () => {
      if (upload.status >= 200 && upload.status < 300) resolve(JSON.parse(upload.responseText) as Source);
      else reject(refusal(upload));
    });
    upload.addEventListener('error', () => reject(unreachable()));
    upload.addEventListener('abort', () => reject(new DOMException('canceled', 'AbortError')));
    upload.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    upload.open('POST', `${API_BASE}/uploads`);
    upload.setRequestHeader(CSRF_HEADER, token);
    upload.send(form);
  });
}

function refusal(upload: XMLHttpRequest): ApiError {
  const wait = retryAfterSeconds(upload.getResponseHeader('retry-after'));
  return new ApiError(problemOf(upload.status, upload.responseText), wait);
}
