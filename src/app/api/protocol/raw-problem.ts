import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { problemOf } from '../../../common/problems/problem.js';
import type { AppError } from '../../../kernel/app-error.js';
import { securityHeaders } from '../security-headers.js';

/** A problem document with its headers as bytes of a connection, for input that never becomes a request of a route. */
export function rawProblem(
  error: AppError,
  publicUrl: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const problem = problemOf(error, publicUrl, `req_${randomUUID()}`);
  const body = JSON.stringify(problem);
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${problem.requestId}`,
    ...Object.entries({ ...securityHeaders(publicUrl), ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
