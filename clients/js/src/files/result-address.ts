import { ImageEnhancementError } from '../errors.js';
import { parsedUrl } from '../http/checks.js';

/**
 * Where a result is read. The service signs its files' names, not its own: `<PUBLIC_URL>/files/job_…?exp=…&sig=…` is
 * good under every name of the service, and the one that this client was given is the one that it can reach, where
 * PUBLIC_URL may be a name for others. Any other address is somebody else's, such as an object store's, whose
 * signature holds for that very address.
 * @throws ImageEnhancementError `invalid_result_url` for what is no address of the web
 */
export function resultAddress(resultUrl: string, baseUrl: string): string {
  const url = parsedUrl(resultUrl);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ImageEnhancementError(
      'invalid_result_url',
      `The service names "${resultUrl}" as the place of the result, which is no address that begins with http:// or https://.`,
    );
  }
  const [folder, name = ''] = url.pathname.split('/').slice(-2);
  const isOwn =
    folder === 'files' &&
    name.startsWith('job_') &&
    url.searchParams.has('exp') &&
    url.searchParams.has('sig');
  return isOwn ? `${baseUrl}/files/${name}${url.search}` : resultUrl;
}
