import fastifyCors, { type FastifyCorsOptions, type FastifyCorsOptionsDelegateCallback } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Request headers that the API reads. */
const REQUEST_HEADERS = [
  'x-api-key',
  'content-type',
  'idempotency-key',
  'prefer',
  'content-digest',
  'cancel-after',
  'last-event-id',
  'x-request-id',
  'traceparent',
  'range',
  'if-range',
  'if-none-match',
];

/** Response headers of the API that browsers do not expose by default. */
export const EXPOSED_HEADERS = [
  'Location',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Idempotent-Replayed',
  'Preference-Applied',
  'X-Request-Id',
  'X-Job-Id',
  'Content-Location',
  'Link',
  'WWW-Authenticate',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
];

/** Browsers cache a preflight response for two hours at most. */
const REMEMBER_SECONDS = 7_200;

/**
 * Allows pages of other origins to call the API and download files with a key. Cookies are never allowed, and the
 * dashboard's routes, which use a session, are never included. Without origins, nothing is registered, and browsers
 * block cross-origin calls themselves.
 * @param origins for example `https://app.example`; `*` allows all
 */
export async function registerCors(fastify: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const open: FastifyCorsOptions = {
    origin: origins.includes('*') ? '*' : [...origins],
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: REMEMBER_SECONDS,
    // Otherwise, the plugin responds in plain text to an OPTIONS request that is not a preflight request.
    strictPreflight: false,
  };
  const closed: FastifyCorsOptions = { origin: false };
  // The plugin's OPTIONS route would conflict with our route for unknown paths. It is not needed, because the hook
  // responds to preflight requests before routing.
  const instance = Object.create(fastify, { options: { value: () => instance } }) as FastifyInstance;
  const delegator: FastifyCorsOptionsDelegateCallback = ({ url }, done) =>
    done(null, isOpenedByKey(url) ? open : closed);
  await new Promise<void>((resolve, reject) => {
    fastifyCors(instance, { delegator }, (error) => (error === undefined ? resolve() : reject(error)));
  });
}

/** Compares paths as the router does, case-sensitively. */
const isOpenedByKey = (url: string): boolean => url.startsWith('/api/') || url.startsWith('/files/');
