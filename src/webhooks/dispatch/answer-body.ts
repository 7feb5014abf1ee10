import type { Readable } from 'node:stream';

/** What is kept of an answer. */
const KEPT_BYTES = 4_096;
/** What is read so that the connection can be used again; a longer answer is cut off. */
const READ_BYTES = 65_536;
/** Once the status is known, the rest is worth no more of a wait than this. */
const PATIENCE_MS = 1_000;

/** The start of an answer, and why it is not whole. */
export interface AnswerStart {
  readonly text: string;
  readonly error: string | null;
}

/**
 * Reads the start of an answer and leaves it: whatever it sends, and however slowly, it costs at most 64 kB of
 * reading and one second. The status has decided by then; the text is for the owner to look at.
 */
export async function readAnswerStart(body: Readable): Promise<AnswerStart> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let error: string | null = null;
  // Leaving early ends the connection, of which the stream tells as of an error.
  body.on('error', () => undefined);
  const timer = setTimeout(() => {
    error = 'The answer did not end, so the rest was not read.';
    body.destroy();
  }, PATIENCE_MS);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (sizeBytes < KEPT_BYTES) chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes >= READ_BYTES) break;
    }
  } catch {
    error ??= 'The connection broke in the middle of the answer.';
  } finally {
    clearTimeout(timer);
  }
  return { text: keptText(Buffer.concat(chunks)), error };
}

/** At most `KEPT_BYTES` of well-formed text; PostgreSQL keeps no U+0000. */
function keptText(bytes: Buffer): string {
  const text = bytes.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '');
  // What is no UTF-8 became U+FFFD, three bytes each.
  return Buffer.byteLength(text) <= KEPT_BYTES ? text : cutText(text);
}

function cutText(text: string): string {
  const cut = Buffer.from(text).subarray(0, KEPT_BYTES);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(cut, { stream: true });
}
