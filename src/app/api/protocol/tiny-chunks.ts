import type { IncomingMessage, Server } from 'node:http';

/** Node.js reports its own errors in the same way, with codes of its own. */
export const TINY_CHUNKS = 'ERR_TINY_CHUNKS';

/** Number of chunks at the beginning of a body that may have any size. */
const FREE_CHUNKS = 1_000;
/** Minimum mean size of all chunks once a body has more of them, in bytes. */
export const MIN_CHUNK_BYTES = 32;

/**
 * Ends connections whose bodies arrive in very small chunks (RFC 9112 §7.1). Node.js makes an object and calls
 * JavaScript for each chunk, so a few connections that send chunks of one byte would keep a process busy, even without
 * a key. HTTP libraries send chunks of several kilobytes.
 */
export function refuseTinyChunks(server: Server): void {
  server.prependListener('request', (request) => {
    if (request.headers['transfer-encoding'] !== undefined) watchChunks(request, server);
  });
}

/** Node's parser calls `push` for each chunk, also while nobody reads. */
function watchChunks(request: IncomingMessage, server: Server): void {
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  request.push = (chunk: Buffer | null): boolean => {
    if (chunk === null) return push(chunk);
    chunks += 1;
    bytes += chunk.length;
    if (chunks <= FREE_CHUNKS || bytes >= chunks * MIN_CHUNK_BYTES) return push(chunk);
    // The parser still calls this for the chunks that were already read from the connection.
    request.push = () => false;
    const error = Object.assign(new Error('the chunks of a body are too small'), { code: TINY_CHUNKS });
    server.emit('clientError', error, request.socket);
    return false;
  };
}
