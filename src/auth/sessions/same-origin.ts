import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request that changes something may come from a page of this service. Browsers send `Sec-Fetch-Site` (older
 * ones only `Origin`), which pages cannot set. Clients other than browsers send neither and cannot be tricked by a
 * page.
 * @param publicUrl where clients reach the service; behind a proxy the `Host` header may differ
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).origin === new URL(publicUrl).origin || new URL(origin).host === host;
}
