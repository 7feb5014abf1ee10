import type { Server } from 'node:http';

/** How long a reader may take nothing of its response. Browsers resume a download that was paused for longer. */
export const STALLED_READER_MS = 120_000;

/**
 * Closes connections whose reader has taken nothing for the timeout of the server. Otherwise, such a reader would hold
 * a file and memory forever. A response that has sent everything so far, such as an event stream, stays open.
 */
export function closeStalledReaders(server: Server): void {
  server.on('request', ({ socket }, response) => {
    // Without a listener, Node.js would close every connection that has been quiet for so long.
    response.on('timeout', () => {
      if (response.writableLength > 0) socket.destroy();
    });
  });
}
