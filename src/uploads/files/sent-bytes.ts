import { Readable } from 'node:stream';
import type { FastifyReply } from '../../common/requests/request-context.js';
import { whenClosed } from '../../common/requests/when-closed.js';

/** The bytes of one response. */
export interface SentBytes {
  /** Position of the first byte. */
  readonly start: number;
  /** Bytes that the system took from the connection. */
  readonly bytes: number;
  /** The system took everything; otherwise the reader may have received less. */
  readonly isFinished: boolean;
}

/**
 * Reports what was sent when the response is over, complete or not. Bytes in a buffer of this process are not sent: a
 * connection that breaks discards them, and its buffers then look empty. So it is noted while the connection is open.
 * A reader that has everything may close it before the end of the file is noticed here, so only bytes count.
 */
export function counted(
  stream: Readable,
  { raw }: FastifyReply,
  { start, length }: { readonly start: number; readonly length: number },
  onSent: (sent: SentBytes) => void,
): Readable {
  const { socket } = raw;
  let read = 0;
  let bytes = 0;
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      read += chunk.length;
      yield chunk;
      // After the write that the response has scheduled.
      process.nextTick(note);
    }
  };
  const body = Readable.from(chunks(), { objectMode: false });
  const note = (): void => {
    if (socket === null || socket.destroyed || socket.errored !== null) return;
    bytes = Math.max(bytes, read - body.readableLength - raw.writableLength);
  };
  raw.on('drain', note).once('finish', note);
  whenClosed(raw, () => onSent({ start, bytes, isFinished: bytes === length }));
  return body;
}
