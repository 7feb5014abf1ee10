import type { FastifyInstance } from 'fastify';
import { routedPath } from './routed-path.js';

/** The documentation pages have no inline scripts or styles. */
const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Swagger UI serves its own files. Only its styles are inline. */
const EXPLORER_CSP =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** One year. No `includeSubDomains`: this service does not decide for other hosts of the domain. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

/** No page uses these features. Disabling them keeps an injected script from using them. */
export const PERMISSIONS_POLICY = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** The headers of every response: no content sniffing, and HSTS where clients reach the service over HTTPS. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': STRICT_TRANSPORT_SECURITY }),
  };
}

/**
 * Sets security headers. The documentation also has a Content-Security-Policy and a Permissions-Policy. Requests that
 * fail before the hooks run are not included.
 */
export function setSecurityHeaders(fastify: FastifyInstance, publicUrl: string): void {
  const headers = securityHeaders(publicUrl);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    const path = routedPath(request);
    if (path.startsWith('/docs')) {
      const policy = path.startsWith('/docs/explorer') ? EXPLORER_CSP : DOCS_CSP;
      reply.header('Content-Security-Policy', policy).header('Permissions-Policy', PERMISSIONS_POLICY);
    }
    done();
  });
}
