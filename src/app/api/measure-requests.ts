import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpMetrics } from '../../infra/telemetry/http-metrics.js';

/** Routes for whatever no route answers, and for static files, whose names are not worth a series each. */
const NO_ROUTE = 'unmatched';

/** Measures every request, also one whose client goes away before it is answered. */
export function measureRequests(fastify: FastifyInstance, metrics: HttpMetrics): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const startedMs = performance.now();
    metrics.begin();
    // Unlike `onResponse`, this comes for an aborted request, too.
    reply.raw.once('close', () => {
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

/** The pattern of the route that answers a request. */
export function routeOf({ routeOptions }: FastifyRequest): string {
  const { url } = routeOptions;
  return url === undefined || url.includes('*') ? NO_ROUTE : url;
}

/** The client asked for the response to be late: it waits for a job, or reads a stream of events. */
function isHeld({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type') ?? reply.raw.getHeader('content-type');
  if (String(type).startsWith('text/event-stream')) return true;
  return /\bwait\s*=/i.test([headers['prefer'] ?? []].flat().join());
}
