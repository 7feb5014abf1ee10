import { StartError } from './start-error.js';

/** Why the api cannot listen, and which variable changes it. */
export function listenFault(host: string, port: number, error: NodeJS.ErrnoException): StartError {
  return new StartError(explain(host, port, error), { cause: error });
}

function explain(host: string, port: number, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is already in use. Stop the process that uses it, or set another port, such as PORT=${neighbor(port)}, or another address (HOST).`;
    case 'EACCES':
      return `Port ${port} requires root. Set a port of 1024 or higher, such as PORT=3000.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST=${host} is not an address of this machine.`;
    default:
      return `The API cannot listen on ${host}:${port} (${error.message}). Check HOST and PORT.`;
  }
}

const neighbor = (port: number): number => (port < 65_535 ? port + 1 : port - 1);
