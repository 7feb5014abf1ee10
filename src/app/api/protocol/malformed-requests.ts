import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemOf } from '../../../common/problems/problem.js';
import { AppError } from '../../../kernel/app-error.js';
import { securityHeaders } from '../security-headers.js';
import { MIN_CHUNK_BYTES, TINY_CHUNKS } from './tiny-chunks.js';

/** Node's error codes that need a specific response. */
const TOO_LONG = 'HPE_HEADER_OVERFLOW';
const UNKNOWN_METHOD = 'HPE_INVALID_METHOD';
const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Node stores the pending response of a connection under this name and checks it for the same reason. */
const ANSWER = '_httpMessage';

type AnsweringSocket = Socket & { readonly [ANSWER]?: Pick<ServerResponse, 'headersSent'> | null };

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
    const isMidAnswer = (socket as AnsweringSocket)[ANSWER]?.headersSent === true;
    if (socket.writable && !isMidAnswer) socket.write(answerTo(error, publicUrl));
    socket.destroy(error);
  };
}

function answerTo(error: NodeJS.ErrnoException, publicUrl: string): string {
  const problem = problemOf(faultOf(error), publicUrl, `req_${randomUUID()}`);
  const body = JSON.stringify(problem);
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${problem.requestId}`,
    ...Object.entries(securityHeaders(publicUrl)).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
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
