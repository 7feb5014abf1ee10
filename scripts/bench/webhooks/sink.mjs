import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * A receiver for benchmarks. Below /hang it never responds; elsewhere it responds with 204 as soon as it has read the
 * body. Counts requests by the first segment of the path.
 */
export async function startSink() {
  let counts = new Map();
  let firstBytes = new Map();
  const server = createServer((request, response) => {
    const atMs = performance.now();
    const name = `/${request.url.split('/')[1]}`;
    const id = request.headers['webhook-id'];
    if (!firstBytes.has(id)) firstBytes.set(id, atMs);
    request.resume();
    request.once('end', () => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (name !== '/hang') response.writeHead(204).end();
    });
  });
  // All addresses of the loopback network, and no others.
  server.on('connection', (socket) => {
    if (!socket.localAddress.startsWith('127.')) socket.destroy();
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address();
  return {
    /** @param host URLs with different numbers have different hosts, which have limits of their own */
    url: (path, host = 0) => `http://127.1.${host >> 8}.${host & 255}:${port}${path}`,
    count: (name) => counts.get(name) ?? 0,
    firstByteAt: (id) => firstBytes.get(id),
    reset: () => {
      counts = new Map();
      firstBytes = new Map();
      // Releases hanging requests, so that the next measurement starts without any.
      server.closeAllConnections();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
