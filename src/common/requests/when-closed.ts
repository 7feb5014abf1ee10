import type { ServerResponse } from 'node:http';

const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls `work` when a response is complete or was aborted. All calls share one listener: with a listener for each,
 * Node.js would warn of a leak for streamed responses, to which Fastify adds several of its own.
 */
export function whenClosed(response: ServerResponse, work: () => void): void {
  const known = waiting.get(response);
  if (known !== undefined) {
    known.push(work);
    return;
  }
  const works = [work];
  waiting.set(response, works);
  response.once('close', () => {
    for (const each of works) each();
  });
}
