import type { IncomingMessage } from 'node:http';

/** How long a client may keep sending after the response before the connection is closed. */
const LINGER_MS = 2_000;
const LINGER_BYTES = 64 * 2 ** 20;

/**
 * Closes a connection in stages (RFC 9112 §9.6) when a response is sent before the body was read: sends the response,
 * closes the sending side, and discards further input for a moment. An immediate close would reset the connection, and
 * most clients would not see the response.
 */
export function lingeringClose(request: IncomingMessage): void {
  const { socket } = request;
  // Node calls this after a response with `Connection: close`. Its own version closes both directions.
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
