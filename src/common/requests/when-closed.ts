import type { ServerResponse } from 'node:http';

const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls `work` when a response is over, complete or broken off. All share one listener: with one for each, Node.js
 * suspects a leak of responses that are streamed, to which Fastify adds several of its own.
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
