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
  return origin === undefined || isOwnAddress(origin, host, publicUrl);
}

/**
 * Whether a page of this service sent a request that reads something. Browsers send `Sec-Fetch-Site` only to HTTPS
 * addresses and to the same machine. To other addresses, they send `Referer`, which our pages' Referrer-Policy permits.
 * @param publicUrl where clients reach the service; behind a proxy the `Host` header may differ
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { referer, host } = headers;
  return referer !== undefined && isOwnAddress(referer, host, publicUrl);
}

function isOwnAddress(address: string, host: string | undefined, publicUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, host: addressHost } = new URL(address);
  return origin === new URL(publicUrl).origin || addressHost === host;
}
