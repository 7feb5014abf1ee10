import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * Serves requests whose `Expect` header is not `100-continue` like any other, which RFC 9110 §10.1.1 allows. Node.js
 * would respond with 417 and an empty body, a status that no route documents.
 */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}
