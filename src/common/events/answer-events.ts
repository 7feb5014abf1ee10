import type { EventStream } from './event-stream.js';
import type { FastifyReply } from '../requests/request-context.js';

/** Answers with server-sent events; without any, with the 204 that tells a browser not to come back. */
export function answerEvents(reply: FastifyReply, stream: EventStream | null): void {
  if (stream === null) {
    void reply.status(204).send();
    return;
  }
  reply.headers({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // Proxies that buffer answers would hold the events back.
    'X-Accel-Buffering': 'no',
  });
  // HEAD has no body, and Fastify would read the stream for ever, with nobody there who could go away.
  if (reply.request.method === 'HEAD') {
    stream.destroy();
    void reply.send();
  } else void reply.send(stream);
}
