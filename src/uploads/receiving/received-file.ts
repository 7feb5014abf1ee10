import { createHash } from 'node:crypto';
import { AppError } from '../../kernel/app-error.js';

/** A file whose bytes have been written. */
export interface ReceivedFile {
  readonly bytes: number;
  /** SHA-256 of the bytes, hex. */
  readonly sha256: string;
  /** Of the file, without folders; null when the client sent none. */
  readonly name: string | null;
}

/** Writes a chunk; the next one may come when it resolves. */
export type WriteChunk = (chunk: Buffer) => Promise<void>;

/** Streams a file from any source to `write`. */
export type ReceiveFile = (write: WriteChunk) => Promise<ReceivedFile>;

/** The client disconnected. It gets no response, and the log no error. */
export class ClientDisconnected extends AppError {
  constructor() {
    super('upload_timeout', { internal: 'the client closed the connection during an upload' });
  }
}

/** Writes a stream of bytes and counts them. @throws AppError `payload_too_large` */
export async function writeStream(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
  write: WriteChunk,
): Promise<Omit<ReceivedFile, 'name'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of stream) {
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
