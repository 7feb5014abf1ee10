import { freePort, listensOn } from '../infra/database/embedded/free-port.js';
import { StartError } from './start-error.js';

/**
 * Checks before anything starts that the API can listen on a port.
 * @param port `0` chooses a free one
 * @returns the port to use
 * @throws StartError with the reason when it cannot
 */
export async function apiPort(host: string, port: number): Promise<number> {
  try {
    return port === 0 ? await freePort(host) : await listensOn(port, host);
  } catch (error) {
    throw new StartError(explain(host, port, error as NodeJS.ErrnoException), { cause: error });
  }
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
