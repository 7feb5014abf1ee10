import { ImageEnhancementError } from '../errors.js';
import { parsedUrl } from '../http/checks.js';
import { orAborted } from '../http/or-aborted.js';
import { throwIfAborted } from '../http/throw-if-aborted.js';
import type { Platform } from '../platform/platform.js';
import { fileTooLarge, MAX_FILE_BYTES } from './file-limit.js';

/** Bytes of an image: a path (not in browsers), bytes, a Blob or File, or a stream that is read to its end. */
export type FileInput =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** An image, the URL of one on the web, or an uploaded one: its URL, or the return value of `upload`. */
export type ImageInput = FileInput | URL | { readonly url: string };

/** The path of an uploaded source. */
const SOURCE_PATH = /\/files\/src_[^/]+$/;

/** The input as a URL on the web; undefined for any other input. */
export function webAddress(input: unknown): URL | undefined {
  if (input instanceof URL) return input;
  return typeof input === 'string' && /^https?:\/\//i.test(input) ? parsedUrl(input) : undefined;
}

/** The URL of an upload; undefined for any other input. */
export function sourceAddress(input: ImageInput): string | undefined {
  const address = webAddress(input);
  if (address !== undefined) return SOURCE_PATH.test(address.pathname) ? address.href : undefined;
  if (typeof input === 'string') return undefined;
  // Requests and responses also have a `url`, but they are inputs to read.
  if (!isObject(input) || isIterable(input) || isStream(input) || input instanceof Response) return undefined;
  return 'url' in input && typeof input.url === 'string' ? input.url : undefined;
}

/**
 * Reads all bytes, because a retry needs them again, and the limit is only 20 MB. A source may stall, so the signal
 * ends the reading and closes a stream.
 * @throws InvalidImageError for a larger file, before anything is sent; AbortedError
 */
export async function readFileInput(
  input: FileInput,
  platform: Platform,
  signal: AbortSignal | undefined,
): Promise<Blob> {
  throwIfAborted(signal);
  const blob = await orAborted(toBlob(input, platform, signal), signal);
  if (blob.size > MAX_FILE_BYTES) throw fileTooLarge(blob.size);
  return blob;
}

async function toBlob(input: FileInput, platform: Platform, signal: AbortSignal | undefined): Promise<Blob> {
  if (input === '') throw new ImageEnhancementError('invalid_file', 'The path of the image is empty.');
  if (typeof input === 'string') return platform.readFile(input, MAX_FILE_BYTES);
  if (input instanceof Blob) return input;
  if (input instanceof ArrayBuffer) return new Blob([input]);
  if (ArrayBuffer.isView(input)) return new Blob([input as ArrayBufferView<ArrayBuffer>]);
  if (isObject(input)) {
    // Node.js streams can be iterated and closed. Web streams can be iterated only in some runtimes.
    if (isStream(input)) return collect(chunksOf(input, signal));
    if (isIterable(input)) return collect(closedOn(input, signal));
  }
  throw new ImageEnhancementError(
    'invalid_file',
    `An image is a path, bytes, a Blob, a stream or the address of an upload, not ${kindOf(input)}.`,
  );
}

/** For callers without types. */
const isObject = (input: unknown): input is object => typeof input === 'object' && input !== null;
const kindOf = (input: unknown): string =>
  input == null ? String(input) : `a value of type ${typeof input}`;
const isIterable = (input: object): input is AsyncIterable<Uint8Array> => Symbol.asyncIterator in input;
const isStream = (input: object): input is ReadableStream<Uint8Array> => 'getReader' in input;

/** The chunks of a stream. Not all supported browsers can iterate over a stream. */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  const close = async () => reader.cancel().catch(() => undefined);
  const onAbort = () => void close();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await close();
  }
}

/**
 * Iterates over a source, and destroys a Node.js stream when the signal is aborted, because an open stream keeps the
 * program alive. Other sources cannot be stopped.
 */
async function* closedOn(
  chunks: AsyncIterable<Uint8Array> & { readonly destroy?: () => unknown },
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const close = () => void chunks.destroy?.();
  signal?.addEventListener('abort', close, { once: true });
  try {
    yield* chunks;
  } finally {
    signal?.removeEventListener('abort', close);
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    if (!ArrayBuffer.isView(chunk)) {
      throw new ImageEnhancementError(
        'invalid_file',
        'The stream gives text or objects; an image is bytes: open it without an encoding.',
      );
    }
    sizeBytes += chunk.byteLength;
    if (sizeBytes > MAX_FILE_BYTES) throw fileTooLarge(null);
    // Copies the chunk, because a stream may reuse its memory.
    parts.push(new Uint8Array(chunk));
  }
  return new Blob(parts);
}
