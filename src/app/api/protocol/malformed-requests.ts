import type { Socket } from 'node:net';
import { AppError } from '../../../kernel/app-error.js';
import { pendingResponse } from './pending-response.js';
import { rawProblem } from './raw-problem.js';
import { MIN_CHUNK_BYTES, TINY_CHUNKS } from './tiny-chunks.js';

/** Node's error codes that need a specific response. */
const TOO_LONG = 'HPE_HEADER_OVERFLOW';
const UNKNOWN_METHOD = 'HPE_INVALID_METHOD';
const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Rejects input that is not an HTTP request, which no filter ever sees. Sends a problem document and closes the
 * connection, because the start of the next request is unknown.
 */
export function rejectMalformedRequests(
  publicUrl: string,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    // In the middle of another response, a second one would be read as part of it.
    const isMidAnswer = pendingResponse(socket)?.headersSent === true;
    if (socket.writable && !isMidAnswer) socket.write(rawProblem(faultOf(error), publicUrl));
    socket.destroy(error);
  };
}

function faultOf({ code }: NodeJS.ErrnoException): AppError {
  if (code === TOO_LONG)
    return new AppError('invalid_request', {
      detail: 'The request line and headers are larger than 16 kB.',
    });
  if (code === UNKNOWN_METHOD)
    return new AppError('invalid_request', {
      detail: 'The method of the request is unknown. Methods are written in upper case, such as GET.',
    });
  if (code === TOO_SLOW)
    return new AppError('upload_timeout', { detail: 'The request did not arrive in time.' });
  if (code === TINY_CHUNKS)
    return new AppError('invalid_request', {
      detail: `The chunks of the body have fewer than ${MIN_CHUNK_BYTES} bytes on average. Send larger chunks, or send a Content-Length.`,
    });
  return new AppError('invalid_request', { detail: 'The request is not valid HTTP/1.1.' });
}
