import type { EventStream } from './event-stream.js';
import type { FastifyReply } from '../requests/request-context.js';

/** Responds with server-sent events, or with 204, which tells a browser not to reconnect. */
export function answerEvents(reply: FastifyReply, stream: EventStream | null): void {
  if (stream === null) {
    void reply.status(204).send();
    return;
  }
  reply.request.isHeld = true;
  reply.headers({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // Prevents proxies from buffering events.
    'X-Accel-Buffering': 'no',
  });
  // HEAD has no body, and Fastify would read the stream forever.
  if (reply.request.method === 'HEAD') {
    stream.destroy();
    void reply.send();
  } else void reply.send(stream);
}
