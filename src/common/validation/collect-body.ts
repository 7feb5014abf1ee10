import type { IncomingMessage } from 'node:http';
import { AppError } from '../../kernel/app-error.js';
import { CollectedBytes } from '../requests/collected-bytes.js';
import type { ContentDigest } from '../requests/content-digest.js';
import type { BodyBytes } from './json-memory.js';

/**
 * Reads a whole body and copies its chunks: a chunk of one byte takes hundreds of bytes as an object, so that a body of
 * such chunks would take far more memory than its size. Leaves the connection open.
 * @param limits the largest size, in bytes
 * @throws AppError `payload_too_large`, and the errors of BodyBytes; the error of the stream when the client disconnects
 */
export async function collectBody(
  payload: IncomingMessage,
  limits: { readonly bytes: number },
  memory: BodyBytes,
  digest: ContentDigest,
): Promise<CollectedBytes> {
  const body = new CollectedBytes();
  let wait: Promise<void> | undefined;
  let isOver = false;
  let stopListening = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const disconnected = (): void => {
        if (!payload.complete) reject(new Error('the client closed the connection during the body'));
      };
      const take = (chunk: Buffer): void => {
        body.add(chunk);
        digest.update(chunk);
        if (body.length > limits.bytes) reject(tooLarge(limits.bytes));
        const waiting = memory.add(chunk.length, reject);
        if (waiting === undefined) return;
        payload.pause();
        wait = waiting.then(() => void (isOver || payload.resume()));
        wait.catch(reject);
      };
      // The last bytes may end the body while it waits.
      const complete = (): void => void Promise.resolve(wait).then(resolve, reject);
      payload.on('data', take).once('end', complete).once('error', reject).once('close', disconnected);
      stopListening = () =>
        payload.off('data', take).off('end', complete).off('error', reject).off('close', disconnected);
      if (payload.destroyed && !payload.readableEnded) disconnected();
    });
    return body;
  } finally {
    isOver = true;
    stopListening();
    if (!payload.complete) payload.pause();
  }
}

function tooLarge(bytes: number): AppError {
  return new AppError('payload_too_large', { detail: `The JSON body is larger than ${bytes / 1024} kB.` });
}
