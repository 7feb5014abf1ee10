import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { whenClosed } from './when-closed.js';

/**
 * Closes the connections of a server that stops listening. Node's `server.close()` closes only connections that are
 * idle at that moment, and waits a minute or forever for the others:
 * - Browsers open connections in advance. Node does not count a connection without any bytes as idle.
 * - A client may keep a connection open after its response has ended.
 * - A request may never arrive completely, and Node no longer applies its timeouts.
 * @param limitMs how long requests in progress may take
 * @returns a function that starts the drain; call it when the server closes
 */
export function connectionDrain(server: Server, limitMs: number): () => void {
  const unused = new Set<Socket>();
  let hasBegun = false;
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    // The connection becomes idle after this event.
    const closeIdle = (): void => void (hasBegun && setImmediate(() => server.closeIdleConnections()));
    whenClosed(response, closeIdle);
  });
  return () => {
    hasBegun = true;
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    const timer = setTimeout(() => server.closeAllConnections(), limitMs).unref();
    server.once('close', () => clearTimeout(timer));
  };
}
