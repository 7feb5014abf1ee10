import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum consecutive connections that may break before sending a byte. */
const MAX_FRUITLESS = 4;
const PAUSE_MS = 100;

/**
 * Reads a body and requests the rest when the connection breaks. Fails only after repeated connections without a byte.
 * @param first the body of the first response; read and destroyed by this stream
 * @param sizeBytes the complete size of `first`
 * @param resume requests the bytes from an offset within `first`; its errors end the stream
 */
export function resumingStream(
  first: Readable,
  sizeBytes: number,
  resume: (offset: number) => Promise<Readable>,
): Readable {
  let body = guarded(first);
  async function* bytes(): AsyncGenerator<Buffer> {
    let offset = 0;
    for (let fruitless = 0; offset < sizeBytes;) {
      const before = offset;
      let fault: unknown = new Error('the connection to the store ended early');
      try {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          offset += chunk.length;
          yield chunk;
        }
      } catch (error) {
        fault = error;
      }
      if (offset >= sizeBytes) return;
      fruitless = offset > before ? 1 : fruitless + 1;
      if (fruitless > MAX_FRUITLESS) throw fault;
      await sleep(PAUSE_MS * fruitless * (1 + Math.random()));
      body = guarded(await resume(offset));
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false });
  // A body that was never read also holds a connection.
  stream.once('close', () => body.destroy());
  return stream;
}

/** A body may fail before it is read. The reader then gets the error. */
function guarded(body: Readable): Readable {
  return body.on('error', () => undefined);
}
