import type { Readable } from 'node:stream';

/** Bytes of a response that are stored. */
const KEPT_BYTES = 4_096;
/** Bytes that are read to keep the connection reusable; longer responses are cut off. */
const READ_BYTES = 65_536;
/** Time for reading the rest after the status is known. */
const PATIENCE_MS = 1_000;

/** The start of a response, and why it is incomplete. */
export interface AnswerStart {
  readonly text: string;
  readonly error: string | null;
}

/**
 * Reads the start of a response: at most 64 kB and for at most one second. The status has decided by then;
 * the text is only shown to the owner.
 */
export async function readAnswerStart(body: Readable): Promise<AnswerStart> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let error: string | null = null;
  // Leaving early closes the connection, which the stream reports as an error.
  body.on('error', () => undefined);
  const timer = setTimeout(() => {
    error = 'The response did not end in time, so the rest was not read.';
    body.destroy();
  }, PATIENCE_MS);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (sizeBytes < KEPT_BYTES) chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes >= READ_BYTES) break;
    }
  } catch {
    error ??= 'The connection was lost in the middle of the response.';
  } finally {
    clearTimeout(timer);
  }
  return { text: keptText(Buffer.concat(chunks)), error };
}

/** At most `KEPT_BYTES` of well-formed text, without U+0000, which PostgreSQL cannot store. */
function keptText(bytes: Buffer): string {
  const text = bytes.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '');
  // Invalid UTF-8 became U+FFFD, three bytes each.
  return Buffer.byteLength(text) <= KEPT_BYTES ? text : cutText(text);
}

function cutText(text: string): string {
  const cut = Buffer.from(text).subarray(0, KEPT_BYTES);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(cut, { stream: true });
}
