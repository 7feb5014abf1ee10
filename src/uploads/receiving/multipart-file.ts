import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { encodedBody, isEncoded } from '../../common/validation/request-body.js';
import { AppError } from '../../kernel/app-error.js';
import { cleanFileName } from './file-name.js';
import { ProgressDeadline } from './progress-deadline.js';

export interface MultipartLimits {
  /** Largest file; one byte more is refused. */
  readonly maxBytes: number;
  /** Largest body around the file: part headers, boundaries, preamble. */
  readonly maxFramingBytes: number;
  /** A body that sends fewer than `minProgressBytes` in this time is dropped. */
  readonly idleTimeoutMs: number;
  readonly minProgressBytes: number;
}

export interface ReceivedFile {
  readonly bytes: number;
  /** SHA-256 of the bytes, hex. */
  readonly sha256: string;
  /** Of the file, without folders; null when the client sent none. */
  readonly name: string | null;
}

/** The client went away: nobody is left to answer, and it is no fault of the service that anyone must hear of. */
export class ClientDisconnected extends AppError {
  constructor() {
    super('upload_timeout', { internal: 'the client broke the connection during an upload' });
  }
}

/**
 * Streams the only part of a multipart body, named `file`, into `write`, which may hold the stream back.
 * Never keeps more than a chunk in memory and stops at the first fault.
 * @throws AppError `invalid_multipart`, `unsupported_media_type`, `payload_too_large`, `upload_timeout`; ClientDisconnected
 */
export async function receiveMultipartFile(
  request: IncomingMessage,
  limits: MultipartLimits,
  write: (chunk: Buffer) => Promise<void>,
): Promise<ReceivedFile> {
  // Whoever broke the connection before we listened will not be heard again.
  if (request.destroyed && !request.complete) throw new ClientDisconnected();
  const busboy = openBusboy(request, limits);
  let received: ReceivedFile | undefined;
  let parts = 0;
  let deadline: ProgressDeadline | undefined;
  let total = 0;
  let watch = (_chunk: Buffer): void => undefined;
  try {
    return await new Promise<ReceivedFile>((resolve, reject) => {
      let consuming: Promise<unknown> = Promise.resolve();
      const started = new ProgressDeadline(limits.idleTimeoutMs, limits.minProgressBytes, () =>
        reject(new AppError('upload_timeout')),
      );
      deadline = started;
      watch = (chunk) => {
        total += chunk.length;
        started.count(chunk.length);
        // What stands before and after the part counts as well, or it could go on for ever.
        if (total > limits.maxBytes + limits.maxFramingBytes) reject(tooLarge(limits.maxBytes));
      };
      request.on('data', watch);
      // All bytes are here: what is left to do does not depend on the sender.
      request.once('end', () => started.restart());
      request.once('error', () => reject(new ClientDisconnected()));
      request.once('close', () => request.complete || reject(new ClientDisconnected()));
      busboy.on('error', (error: unknown) =>
        reject(notMultipart(error instanceof Error ? error.message : '')),
      );
      busboy.on('file', (name, stream, fileName) => {
        parts += 1;
        if (parts > 1 || name !== 'file') {
          stream.resume();
          reject(
            notMultipart(
              parts > 1 ? 'there is more than one part' : `the part is named "${name}", not "file"`,
            ),
          );
          return;
        }
        consuming = consume(stream, limits.maxBytes, write).then(
          (content) => (received = { ...content, name: cleanFileName(fileName) }),
        );
        consuming.catch(reject);
      });
      busboy.on('finish', () => {
        consuming.then(
          () =>
            received === undefined
              ? reject(notMultipart('there is no part named "file"'))
              : resolve(received),
          reject,
        );
      });
      request.pipe(busboy);
    });
  } finally {
    request.off('data', watch);
    deadline?.stop();
    request.unpipe(busboy);
    // Whatever it still has to say after we are through concerns nobody.
    busboy.on('error', () => undefined);
  }
}

function openBusboy(request: IncomingMessage, limits: MultipartLimits): InstanceType<typeof Busboy> {
  if (!/^multipart\/form-data/i.test(request.headers['content-type'] ?? '')) {
    throw notMultipart('the Content-Type is not multipart/form-data');
  }
  if (isEncoded(request)) throw encodedBody();
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      // Every part counts as a file, so that a field beside the file is seen as the second part it is.
      isPartAFile: () => true,
      limits: { fileSize: limits.maxBytes + 1, headerPairs: 50 },
    });
  } catch (error) {
    throw notMultipart(error instanceof Error ? error.message : '');
  }
}

async function consume(
  stream: BusboyFileStream,
  maxBytes: number,
  write: (chunk: Buffer) => Promise<void>,
): Promise<Omit<ReceivedFile, 'name'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    hash.update(chunk);
    await write(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The 413 of a file over the limit. */
export function tooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', {
    detail: `The file is larger than ${maxBytes} bytes. Nothing was stored.`,
  });
}

function notMultipart(reason: string): AppError {
  return new AppError('invalid_multipart', {
    detail: `Send multipart/form-data with exactly one part named "file": ${reason || 'the body is malformed'}.`,
  });
}
