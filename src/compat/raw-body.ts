import type { IncomingMessage } from 'node:http';
import { ContentDigest } from '../common/requests/content-digest.js';
import { encodedBody, isEncoded } from '../common/validation/request-body.js';
import { AppError } from '../kernel/app-error.js';
import { BodyGuard, type ProgressLimits } from '../uploads/receiving/body-guard.js';
import { CollectedBytes } from '../common/requests/collected-bytes.js';

/** A body that grows beyond some bytes takes so much memory that the receiver must reserve it. */
export interface LongBody {
  readonly afterBytes: number;
  /** Called once, when more bytes have arrived. The body waits for it; an error refuses the body. */
  readonly reserve: () => Promise<void>;
}

/**
 * The size of a body in bytes, if the client declares it.
 * @throws AppError `payload_too_large`, `unsupported_media_type`
 */
export function declaredBytes(request: IncomingMessage, maxBytes: number): number | undefined {
  if (isEncoded(request)) throw encodedBody();
  const declared = request.headers['content-length'];
  if (declared === undefined) return undefined;
  if (Number(declared) > maxBytes) throw tooLong(maxBytes);
  return Number(declared);
}

/**
 * Reads a whole body into memory. Checks `Content-Digest`.
 * @throws AppError `payload_too_large`, `upload_timeout`, `content_digest_mismatch`; ClientDisconnected; whatever
 * `long.reserve` throws
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  limits: ProgressLimits,
  long?: LongBody,
): Promise<CollectedBytes> {
  const digest = ContentDigest.of(request);
  const bodyLimits = { ...limits, maxBodyBytes: maxBytes, tooLarge: () => tooLong(maxBytes) };
  const guard = new BodyGuard(request, bodyLimits, digest);
  const body = new CollectedBytes(Number(request.headers['content-length'] ?? 0));
  let reserved: Promise<void> | undefined;
  let isOver = false;
  const reserve = async (): Promise<void> => {
    request.pause();
    await guard.whilePaused(long!.reserve);
    if (!isOver) request.resume();
  };
  let keep: (chunk: Buffer) => void = () => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      guard.begin(reject);
      keep = (chunk) => {
        body.add(chunk);
        if (long === undefined || reserved !== undefined || body.length <= long.afterBytes) return;
        reserved = reserve();
        reserved.catch(reject);
      };
      request.on('data', keep);
      // The last bytes may end the body while it waits.
      request.once('end', () => void Promise.resolve(reserved).then(resolve, reject));
    });
  } finally {
    isOver = true;
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
