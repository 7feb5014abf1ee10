import { ImageEnhancementError } from '../errors.js';
import { parsedUrl } from '../http/checks.js';

/**
 * The URL from which to read a result. The service signs the path of a file, not the host:
 * `<PUBLIC_URL>/files/job_…?exp=…&sig=…` is valid under every host name of the service. This function uses the host of
 * the client's own base URL, because PUBLIC_URL may be unreachable from here. Any other URL, such as that of an object
 * store, stays unchanged, because its signature covers the host.
 * @throws ImageEnhancementError `invalid_result_url` for text that is not a web URL
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
