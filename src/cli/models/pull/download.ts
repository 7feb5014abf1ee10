import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { MODEL_FILE_LIMITS } from '../../../models/files/model-file.js';
import { ModelsError } from '../models-command.js';
import { isAddress } from './model-sources.js';

export interface Download {
  /** A URL, or the path of a file in a folder that serves as a mirror. */
  readonly address: string;
  /** Whether the address is that of `MODELS_MIRROR`. */
  readonly isMirror: boolean;
  /** The target file. A partial file from an interrupted download is continued. */
  readonly path: string;
  /** Null when the size is unknown. */
  readonly bytes: number | null;
  readonly signal: AbortSignal;
  readonly onProgress: (doneBytes: number, totalBytes: number | null) => void;
}

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 300;

/** This source cannot provide the file, even after retries. Another source may. */
export class Unobtainable extends ModelsError {}

/**
 * Downloads a file. Resumes an interrupted download, of this run or an earlier one. Only the hash verifies the bytes.
 * @throws ModelsError that says what to do; the signal's reason
 */
export async function download(wanted: Download): Promise<void> {
  await mkdir(dirname(wanted.path), { recursive: true });
  await requireSpace(wanted);
  for (let attempt = 1; ; attempt++) {
    try {
      return await (isAddress(wanted.address) ? once(wanted) : copied(wanted));
    } catch (error) {
      wanted.signal.throwIfAborted();
      if (error instanceof ModelsError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC')
        throw new ModelsError(
          `The disk is full: ${wanted.path} cannot be written. Make room and run the same command again.`,
        );
      if (attempt === ATTEMPTS) throw givenUp(wanted, error as Error, await sizeOf(wanted.path));
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    }
  }
}

/** `fetch` states only in the cause why it got no response. */
function givenUp(
  { address, isMirror }: Download,
  { message, cause }: Error,
  partBytes: number,
): Unobtainable {
  if (message === 'fetch failed' && cause instanceof Error && partBytes === 0) {
    const { code } = cause as NodeJS.ErrnoException;
    return new Unobtainable(
      `${address} could not be reached in ${ATTEMPTS} attempts (${code ?? cause.message}). ${isMirror ? 'Check MODELS_MIRROR, the network and the proxy' : 'Check the network and the proxy, or set MODELS_MIRROR to a copy of the files (models/README.md)'}.`,
    );
  }
  return new Unobtainable(
    `The download of ${address} was cut off ${ATTEMPTS} times (${message}); run the same command again to resume it.`,
  );
}

async function once(wanted: Download): Promise<void> {
  const { address, path, bytes, signal } = wanted;
  const there = await sizeOf(path);
  if (bytes !== null && there === bytes) return;
  // The partial file is longer than expected, so it belongs to another file.
  const from = bytes !== null && there > bytes ? 0 : there;
  const answer = await fetch(address, {
    signal,
    redirect: 'follow',
    headers:
      from > 0
        ? { range: `bytes=${from}-`, 'accept-encoding': 'identity' }
        : { 'accept-encoding': 'identity' },
  });
  if (answer.status === 416 && from > 0) {
    await answer.body?.cancel();
    if (bytes === null) return;
    // The file there ends before the partial file does, so one of them is another file.
    await rm(path, { force: true });
    throw new Error(`${address} has no more than ${from} of ${bytes} bytes`);
  }
  if (!answer.ok || answer.body === null) {
    await answer.body?.cancel();
    const text = `${address} answers ${answer.status}`;
    if (answer.status >= 500 || answer.status === 429) throw new Error(text);
    const remedy = wanted.isMirror
      ? 'check MODELS_MIRROR, and that the mirror has the file under this name'
      : 'the publisher may have moved the file';
    throw new Unobtainable(`${text}; ${remedy}.`);
  }
  const begins = answer.status === 206 ? rangeStart(answer) : 0;
  if (begins !== 0 && begins !== from) throw new Error('the server sent another part than it was asked for');
  const stated = statedBytes(answer);
  if (stated !== null && isWrongSize(stated, bytes)) {
    await answer.body.cancel();
    throw wrongSize(wanted, `${stated}`);
  }
  await written(wanted, Readable.fromWeb(answer.body as ReadableStream<Uint8Array>), begins, bytes ?? stated);
}

/** Writes a stream to the file, from the offset `begins`. */
async function written(
  wanted: Download,
  body: Readable,
  begins: number,
  total: number | null,
): Promise<void> {
  const { path, bytes, signal, onProgress } = wanted;
  let done = begins;
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      done += chunk.length;
      if (done > (bytes ?? MODEL_FILE_LIMITS.weightsBytes)) throw wrongSize(wanted, 'more');
      onProgress(done, total);
      yield chunk;
    }
  }
  const file = createWriteStream(path, { flags: begins === 0 ? 'w' : 'a' });
  await pipeline(body, counted, file, { signal }).catch(async (error: unknown) => {
    if (error instanceof Unobtainable) await rm(path, { force: true });
    throw error;
  });
  if (total !== null && done < total) throw new Error(`${done} of ${total} bytes came`);
}

/** The length of the whole file according to the server; null when it is unknown. */
function statedBytes({ status, headers }: Response): number | null {
  // The length of a compressed body is not that of the file.
  if ((headers.get('content-encoding') ?? 'identity') !== 'identity') return null;
  const length =
    status === 206 ? /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] : headers.get('content-length');
  return length === null || length === undefined ? null : Number(length);
}

function isWrongSize(actual: number, bytes: number | null): boolean {
  return bytes === null ? actual > MODEL_FILE_LIMITS.weightsBytes : actual !== bytes;
}

function wrongSize({ address, isMirror, bytes }: Download, actual: string): Unobtainable {
  const expected = bytes === null ? `the ${MODEL_FILE_LIMITS.weightsBytes} that are allowed` : `${bytes}`;
  const cause = isMirror
    ? 'the mirror has another file, or a part of it'
    : 'the publisher may have replaced the file';
  return new Unobtainable(`${address} has ${actual} bytes instead of ${expected}; ${cause}.`);
}

/** Copies the whole file from a folder, because reading it again is cheap. */
async function copied(wanted: Download): Promise<void> {
  const { address, path } = wanted;
  const { size } = await stat(address).catch((error: NodeJS.ErrnoException) => {
    throw new Unobtainable(`The mirror has no file ${address} (${error.code}).`);
  });
  if (isWrongSize(size, wanted.bytes)) throw wrongSize(wanted, `${size}`);
  await requireSpace({ path, bytes: size });
  await written(wanted, createReadStream(address), 0, size);
}

function rangeStart(answer: Response): number {
  const match = /^bytes (\d+)-/.exec(answer.headers.get('content-range') ?? '');
  return match === null ? 0 : Number(match[1]);
}

/** 0 for a missing file. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function requireSpace({ path, bytes }: Pick<Download, 'path' | 'bytes'>): Promise<void> {
  if (bytes === null) return;
  const { bavail, bsize } = await statfs(dirname(path));
  const free = bavail * bsize;
  if (free + (await sizeOf(path)) < bytes)
    throw new ModelsError(
      `The download has ${bytes} bytes, and ${dirname(path)} has ${free} left; make room.`,
    );
}
