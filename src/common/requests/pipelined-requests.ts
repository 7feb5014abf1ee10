import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The most requests of one connection that wait for the one before. Browsers and HTTP libraries send none. */
const MAX_WAITING = 32;
/** A connection with more unanswered requests is closed at once: each takes several kilobytes. */
const MAX_HELD = 256;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Handles the requests of a connection one after the other. Node.js handles hundreds at once if a client does not wait
 * for responses, each with its open file. When the connection breaks, only the first of the responses closes, so that
 * the files of the others would stay open forever.
 *
 * If too many wait, the last of them gets `Connection: close`. The client repeats those behind it, which were not
 * handled (RFC 9112 §9.3.2).
 *
 * Call it before other listeners for requests are added: it replaces those that are there.
 */
export function serveInOrder(server: Server): void {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const queues = new WeakMap<Socket, Waiting[]>();

  const handle = ({ request, response }: Waiting): void => {
    for (const handler of handlers) handler.call(server, request, response);
    // Added last, so that the handlers have noticed the end of the response before.
    response.once('close', () => handleNext(request.socket));
  };
  const handleNext = (socket: Socket): void => {
    const next = queues.get(socket)?.shift();
    if (next === undefined) queues.delete(socket);
    // After `Connection: close`, the response could not be sent.
    else if (!socket.destroyed && !socket.writableEnded) handle(next);
  };
  server.on('request', (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket);
    if (queue === undefined) {
      queues.set(socket, []);
      handle({ request, response });
    } else if (queue.length < MAX_HELD) {
      queue.push({ request, response });
      if (queue.length === MAX_WAITING) response.setHeader('Connection', 'close');
    } else socket.destroy();
  });
}
