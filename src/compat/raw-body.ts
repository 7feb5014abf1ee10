import type { IncomingMessage } from 'node:http';
import { encodedBody, isEncoded } from '../common/validation/request-body.js';
import { AppError } from '../kernel/app-error.js';
import { ClientDisconnected } from '../uploads/receiving/received-file.js';

/**
 * Reads a whole body as text.
 * @throws AppError `payload_too_large`, `unsupported_media_type`; ClientDisconnected
 */
export async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  if (isEncoded(request)) throw encodedBody();
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLong(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop must not close the connection, because the response has not been sent yet.
    const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) throw tooLong(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof AppError ? error : new ClientDisconnected();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLong(maxBytes: number): AppError {
  return new AppError('payload_too_large', { detail: `The body is larger than ${maxBytes} bytes.` });
}
