import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether the port is free on the loopback address. */
export function isPortFree(port: number): Promise<boolean> {
  return listensOn(port, '127.0.0.1').then(
    () => true,
    () => false,
  );
}

/**
 * Ports that systems do not assign to outgoing connections: Linux begins at 32768 by default, others at 49152. One of
 * those could be taken before the caller listens on it.
 */
const FIRST = 20_000;
const COUNT = 10_000;
const ATTEMPTS = 20;

/**
 * A free port of this machine.
 * @throws the error of an address that cannot be listened on
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await listensOn(FIRST + randomInt(COUNT), host);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // On Windows, ranges of ports are reserved.
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    }
  }
  return listensOn(0, host);
}

/**
 * Listens for a moment.
 * @param port `0`: the system chooses one
 * @returns the port
 * @throws the error of the address or port
 */
export function listensOn(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const chosen = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(chosen));
    });
  });
}
