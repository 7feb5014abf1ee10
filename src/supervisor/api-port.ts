import { createServer } from 'node:net';
import { freePort } from '../infra/database/embedded/free-port.js';
import { StartError } from './start-error.js';

/**
 * Checks before anything starts that the API can listen on a port.
 * @param port `0` chooses a free one
 * @returns the port to use
 * @throws StartError with the reason when it cannot
 */
export async function apiPort(host: string, port: number): Promise<number> {
  // Without one, the error of this host is explained below.
  if (port === 0) return listens(host, await freePort(host).catch(() => 0));
  return listens(host, port);
}

function listens(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new StartError(explain(host, port, error), { cause: error })),
    );
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const chosen = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(chosen));
    });
  });
}

function explain(host: string, port: number, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is already in use. Stop the process that uses it, or choose another port: PORT=${port + 1} npm start`;
    case 'EACCES':
      return `Port ${port} requires root. Choose a port of 1024 or higher: PORT=3000 npm start`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST=${host} is not an address of this machine.`;
    default:
      return `The API cannot listen on ${host}:${port} (${error.message}).`;
  }
}
