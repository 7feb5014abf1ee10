import type { FastifyInstance } from 'fastify';

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

/**
 * Sets security headers. Every response disables content sniffing, and sets HSTS where clients reach the service over
 * HTTPS. The documentation also has a Content-Security-Policy and a Permissions-Policy.
 */
export function setSecurityHeaders(fastify: FastifyInstance, publicUrl: string): void {
  const isHttps = publicUrl.startsWith('https:');
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Content-Type-Options', 'nosniff');
    if (isHttps) reply.header('Strict-Transport-Security', STRICT_TRANSPORT_SECURITY);
    if (request.url.startsWith('/docs')) {
      const policy = request.url.startsWith('/docs/explorer') ? EXPLORER_CSP : DOCS_CSP;
      reply.header('Content-Security-Policy', policy).header('Permissions-Policy', PERMISSIONS_POLICY);
    }
    done();
  });
}
