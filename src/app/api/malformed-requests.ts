import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemOf } from '../../common/problems/problem.js';
import { AppError } from '../../kernel/app-error.js';

/** What Node calls the faults that need an answer of their own. */
const TOO_LONG = 'HPE_HEADER_OVERFLOW';
const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Node keeps under this name what it is answering over a connection, and looks there for the same reason as we do. */
const ANSWER = '_httpMessage';

type AnsweringSocket = Socket & { readonly [ANSWER]?: Pick<ServerResponse, 'headersSent'> | null };

/**
 * Answers what is no HTTP request, before there is one that a filter could answer: a problem document like any other,
 * and the end of the connection, since nobody knows where the next request would begin.
 */
export function rejectMalformedRequests(
  publicUrl: string,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    // In the middle of another answer a second one would only be taken for a part of it.
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
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function faultOf({ code }: NodeJS.ErrnoException): AppError {
  if (code === TOO_LONG)
    return new AppError('invalid_request', {
      detail: 'The request line and headers are larger than 16 kB.',
    });
  if (code === TOO_SLOW)
    return new AppError('upload_timeout', { detail: 'The request did not arrive in time.' });
  return new AppError('invalid_request', { detail: 'The request is not valid HTTP/1.1.' });
}
