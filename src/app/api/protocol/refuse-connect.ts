import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../../kernel/app-error.js';
import { pendingResponse } from './pending-response.js';
import { rawProblem } from './raw-problem.js';

/**
 * Responds to CONNECT with 405 and closes the connection, as nginx does. Node.js handles CONNECT apart from other
 * requests, and would close the connection without a response.
 */
export function refuseConnect(server: Server, publicUrl: string): void {
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node.js has removed its own listeners. Without one, a client that is gone would end the process.
    socket.on('error', () => socket.destroy());
    if (pendingResponse(socket) !== undefined) socket.destroy();
    else socket.end(rawProblem(NO_PROXY, publicUrl, { Allow: '' }), () => socket.destroy());
  });
}

const NO_PROXY = new AppError('method_not_allowed', {
  detail: 'This service is not a proxy, so it does not accept CONNECT.',
});
