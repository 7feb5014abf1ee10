import type { IncomingMessage } from 'node:http';
import { ContentDigest } from '../common/requests/content-digest.js';
import { encodedBody, isEncoded } from '../common/validation/request-body.js';
import { AppError } from '../kernel/app-error.js';
import { BodyGuard, type ProgressLimits } from '../uploads/receiving/body-guard.js';
import { CollectedBytes } from '../uploads/receiving/collected-bytes.js';

/**
 * The size of a body in bytes: as declared, or the maximum for a client that declares none.
 * @throws AppError `payload_too_large`, `unsupported_media_type`
 */
export function expectedBytes(request: IncomingMessage, maxBytes: number): number {
  if (isEncoded(request)) throw encodedBody();
  const declared = request.headers['content-length'];
  const bytes = declared === undefined ? maxBytes : Number(declared);
  if (bytes > maxBytes) throw tooLong(maxBytes);
  return bytes;
}

/**
 * Reads a whole body into memory. Checks `Content-Digest`.
 * @throws AppError `payload_too_large`, `upload_timeout`, `content_digest_mismatch`; ClientDisconnected
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  limits: ProgressLimits,
): Promise<CollectedBytes> {
  const digest = ContentDigest.of(request);
  const bodyLimits = { ...limits, maxBodyBytes: maxBytes, tooLarge: () => tooLong(maxBytes) };
  const guard = new BodyGuard(request, bodyLimits, digest);
  const body = new CollectedBytes(Number(request.headers['content-length'] ?? 0));
  const keep = (chunk: Buffer): void => body.add(chunk);
  try {
    await new Promise<void>((resolve, reject) => {
      guard.begin(reject);
      request.on('data', keep);
      request.once('end', resolve);
    });
  } finally {
    guard.end();
    request.off('data', keep);
    if (!request.complete) request.pause();
  }
  digest.verify();
  return body;
}

function tooLong(maxBytes: number): AppError {
  return new AppError('payload_too_large', { detail: `The body is larger than ${maxBytes} bytes.` });
}
