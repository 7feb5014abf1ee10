import type { ServerResponse } from 'node:http';
import { whenClosed } from './when-closed.js';

/** Aborted when the client disconnects before it has received the whole response. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  whenClosed(response, () => {
    // Nobody waits after a complete response, and the error of an abort captures a stack.
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
