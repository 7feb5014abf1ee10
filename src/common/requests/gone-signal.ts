import type { ServerResponse } from 'node:http';
import { whenClosed } from './when-closed.js';

/** Aborted when the client disconnects before it has received the whole response. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  whenClosed(response, () => {
    // An abort after a complete response would only create an error with a stack trace.
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
