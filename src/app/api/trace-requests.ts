import type { FastifyInstance, FastifyRequest } from 'fastify';
import { whenClosed } from '../../common/requests/when-closed.js';
import type { Span, Tracing } from '../../infra/telemetry/tracing/tracing.js';
import { inContext, type WorkContext } from '../../infra/telemetry/tracing/work-context.js';
import { formatTraceparent, parseTraceparent } from '../../kernel/trace-parent.js';
import { routeOf } from './measure-requests.js';

/** Routes that machines poll every few seconds. Their traces would hide the others. */
const UNTRACED = /^\/(?:health\/|metrics$)/;

/**
 * Gives every request a context with its request id and trace id, which are logged and stored with the jobs and events
 * that it creates. A valid `traceparent` header continues the client's trace.
 */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  const contexts = new WeakMap<FastifyRequest, WorkContext>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const span = requestSpan(request, tracing);
    const context = { requestId: request.id, traceparent: span.traceparent };
    contexts.set(request, context);
    whenClosed(reply.raw, () => endSpan(span, reply.raw));
    inContext(context, done);
  });
  // Set again, because reading the body may lose the asynchronous context.
  fastify.addHook('preHandler', (request, _reply, done) => inContext(contexts.get(request) ?? {}, done));
}

function requestSpan(request: FastifyRequest, tracing: Tracing): Span {
  const from = parseTraceparent(request.headers['traceparent']);
  const parent = from === undefined ? null : formatTraceparent(from);
  const route = routeOf(request);
  if (UNTRACED.test(request.url)) return { ...NO_SPAN, traceparent: parent ?? undefined };
  return tracing.start(`${request.method} ${route}`, {
    kind: 'server',
    parent,
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'ies.request_id': request.id,
    },
  });
}

const NO_SPAN = { set: () => undefined, fail: () => undefined, end: () => undefined };

function endSpan(
  span: Span,
  { statusCode, writableFinished }: { readonly statusCode: number; readonly writableFinished: boolean },
): void {
  if (writableFinished) span.set({ 'http.response.status_code': statusCode });
  if (!writableFinished) span.fail(new Error('the client closed the connection'));
  else if (statusCode >= 500) span.fail(new Error(`status ${statusCode}`));
  span.end();
}
