import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request that changes something can come from a page of this service. Browsers say so themselves
 * (`Sec-Fetch-Site`; older ones only `Origin`), and no page can write these headers; what is no browser sends
 * neither, and cannot be tricked by a page.
 * @param publicUrl where clients reach the service; behind a proxy the `Host` header may name another
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).origin === new URL(publicUrl).origin || new URL(origin).host === host;
}
