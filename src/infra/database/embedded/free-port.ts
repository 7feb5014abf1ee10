import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether the port is free. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Ports that systems do not assign to outgoing connections: Linux begins at 32768 by default, others at 49152. One of
 * those could be taken before the caller listens on it.
 */
const FIRST = 20_000;
const COUNT = 10_000;
const ATTEMPTS = 20;

/** A free port of this machine. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = FIRST + randomInt(COUNT);
    if (await isPortFree(port, host)) return port;
  }
  return anyPort(host);
}

function anyPort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host }, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
