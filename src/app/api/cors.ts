import fastifyCors, { type FastifyCorsOptions, type FastifyCorsOptionsDelegateCallback } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** What a page of another origin may send: all that the API reads. */
const REQUEST_HEADERS = [
  'x-api-key',
  'content-type',
  'idempotency-key',
  'prefer',
  'last-event-id',
  'x-request-id',
  'traceparent',
  'range',
  'if-range',
];

/** What such a page may read of an answer beside what browsers always show: all that the API says in headers. */
export const EXPOSED_HEADERS = [
  'Location',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Idempotent-Replayed',
  'Preference-Applied',
  'X-Request-Id',
  'WWW-Authenticate',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
];

/** Browsers ask again before the first request of another two hours; more than that none of them remembers. */
const REMEMBER_SECONDS = 7_200;

/**
 * Lets pages of other origins call what a key opens: the API and the files. Never with cookies, and never the
 * dashboard's part, which a session opens: there a page of somebody else's has no business. Without origins nothing
 * is registered, and browsers keep such pages out by themselves.
 * @param origins as `https://app.example`; `*` alone stands for all
 */
export async function registerCors(fastify: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const open: FastifyCorsOptions = {
    origin: origins.includes('*') ? '*' : [...origins],
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: REMEMBER_SECONDS,
    // Else an OPTIONS that asks for nothing would be refused in plain text, in words of the plugin's.
    strictPreflight: false,
  };
  const closed: FastifyCorsOptions = { origin: false };
  // Its route for OPTIONS would be a second one beside ours for unknown addresses, which Fastify refuses. It has no work
  // to do: what browsers ask is answered by the hook, before any route.
  const instance = Object.create(fastify, { options: { value: () => instance } }) as FastifyInstance;
  const delegator: FastifyCorsOptionsDelegateCallback = ({ url }, done) =>
    done(null, isOpenedByKey(url) ? open : closed);
  await new Promise<void>((resolve, reject) => {
    fastifyCors(instance, { delegator }, (error) => (error === undefined ? resolve() : reject(error)));
  });
}

/** Paths are compared as they are routed: case and all. */
const isOpenedByKey = (url: string): boolean => url.startsWith('/api/') || url.startsWith('/files/');
