import { freePort, listensOn } from '../infra/database/embedded/free-port.js';
import { listenFault } from '../roles/listen-fault.js';

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
    throw listenFault(host, port, error as NodeJS.ErrnoException);
  }
}
