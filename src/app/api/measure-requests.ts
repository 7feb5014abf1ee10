import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { whenClosed } from '../../common/requests/when-closed.js';
import type { HttpMetrics } from '../../infra/telemetry/http-metrics.js';

/** Labels for unmatched requests and for static files, so that file names do not each create a series. */
const NO_ROUTE = 'unmatched';

/**
 * Measures every request, including those that the client aborts: until the end of the response, or until the start of a
 * stream.
 */
export function measureRequests(fastify: FastifyInstance, metrics: HttpMetrics): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const startedMs = performance.now();
    metrics.begin();
    // Unlike `onResponse`, this event also fires for an aborted request.
    whenClosed(reply.raw, () => {
      const isAborted = !reply.raw.writableFinished;
      metrics.end({
        method: request.method,
        route: routeOf(request),
        status: isAborted ? 'aborted' : reply.raw.statusCode,
        seconds:
          isAborted || request.isHeld === true
            ? undefined
            : ((request.streamedAtMs ?? performance.now()) - startedMs) / 1_000,
      });
    });
    done();
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    if (payload instanceof Readable) request.streamedAtMs = performance.now();
    done(null, payload);
  });
}

/** The pattern of the route that serves a request. */
export function routeOf({ routeOptions }: FastifyRequest): string {
  const { url } = routeOptions;
  return url === undefined || url.includes('*') ? NO_ROUTE : url;
}
