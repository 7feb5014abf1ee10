import type { IncomingMessage } from 'node:http';

/** What a client may still send after it has its answer, before the connection is cut. */
const LINGER_MS = 2_000;
const LINGER_BYTES = 64 * 2 ** 20;

/**
 * Lets a connection end in stages (RFC 9112 §9.6) when a request is answered before its body was read: the
 * answer goes out, then our side is closed, and what the client has under way is thrown away until it has
 * finished, or for a moment. Closed at once, the connection would be reset under a client that is still
 * sending, and most clients then never see the answer.
 */
export function closeInStages(request: IncomingMessage): void {
  const { socket } = request;
  // Node calls this once the answer of a `Connection: close` is written; its own cuts both directions.
  socket.destroySoon = () => {
    const cut = (): void => void socket.destroy();
    const timer = setTimeout(cut, LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
    let discardedBytes = 0;
    request.on('data', (chunk: Buffer) => {
      discardedBytes += chunk.length;
      if (discardedBytes > LINGER_BYTES) cut();
    });
    request.once('end', cut);
    request.resume();
    socket.end();
  };
}
