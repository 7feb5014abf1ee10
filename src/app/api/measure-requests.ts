import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { whenClosed } from '../../common/requests/when-closed.js';
import type { HttpMetrics } from '../../infra/telemetry/http-metrics.js';

/** Labels for unmatched requests and for static files, so that file names do not each create a series. */
const NO_ROUTE = 'unmatched';

/** Measures every request, including those that the client aborts. */
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
        seconds: isAborted || isHeld(request, reply) ? undefined : (performance.now() - startedMs) / 1_000,
      });
    });
    done();
  });
}

/** The pattern of the route that serves a request. */
export function routeOf({ routeOptions }: FastifyRequest): string {
  const { url } = routeOptions;
  return url === undefined || url.includes('*') ? NO_ROUTE : url;
}

/** Whether the client chose to wait, for a job or for a stream of events. */
function isHeld({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type') ?? reply.raw.getHeader('content-type');
  if (String(type).startsWith('text/event-stream')) return true;
  return /\bwait\s*=/i.test([headers['prefer'] ?? []].flat().join());
}
