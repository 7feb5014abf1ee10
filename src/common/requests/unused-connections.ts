import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Tracks connections without a request. Browsers open them in advance and Node does not count them as idle, so closing
 * the server would wait a minute for each.
 * @returns closes them
 */
export function trackUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => {
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
  };
}
