import { t } from '@lingui/core/macro';
import { request } from '../client.js';
import type { SessionJob } from '../schema.js';

/**
 * The bytes of a result, as a file with the name of its photo.
 * @throws ApiError, ConnectionError; Error when the result no longer exists
 */
export function fetchResult({ id, result }: SessionJob, signal: AbortSignal): Promise<File> {
  if (result === undefined) return Promise.reject(new Error(t`The result was deleted, or has expired.`));
  const { format } = result;
  return request(
    { method: 'GET', path: `/ai/enhance/${id}/result`, headers: { accept: '*/*' } },
    { signal, timeoutMs: Infinity },
    async (response) => {
      const blob = await response.blob();
      const name = savedName(response.headers.get('content-disposition')) ?? `${id}.${format}`;
      return new File([blob], name, { type: `image/${format}` });
    },
  );
}

/** The file name in `attachment; filename*=UTF-8''Zo%C3%AB.png`, or null. */
export function savedName(disposition: string | null): string | null {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '') ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const [, plain] = /filename="([^"]+)"/i.exec(disposition ?? '') ?? [];
  return plain ?? null;
}
