import type { SessionJob } from '../schema.js';
import { downloadPath } from './download-path.js';

/**
 * The bytes of a result, as a file with the name of its photo.
 * @throws Error when the result no longer exists
 */
export async function fetchResult({ id, result }: SessionJob, signal: AbortSignal): Promise<File> {
  const answer = await fetch(downloadPath(id), { signal, credentials: 'same-origin' });
  if (!answer.ok || result === undefined) throw new Error('The result was deleted, or has expired.');
  const blob = await answer.blob();
  const name = savedName(answer.headers.get('content-disposition')) ?? `${id}.${result.format}`;
  return new File([blob], name, { type: `image/${result.format}` });
}

/** The file name in `attachment; filename*=UTF-8''Zo%C3%AB.png`, or null. */
export function savedName(disposition: string | null): string | null {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '') ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const [, plain] = /filename="([^"]+)"/i.exec(disposition ?? '') ?? [];
  return plain ?? null;
}
