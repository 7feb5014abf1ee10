import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ModelsError } from '../models-command.js';
import { isAddress } from './model-sources.js';

export interface Download {
  /** A URL, or the path of a file in a folder that serves as a mirror. */
  readonly address: string;
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
      if (error instanceof Unobtainable) throw error;
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC')
        throw new ModelsError(
          `The disk is full: ${wanted.path} cannot be written. Make room and run the same command again.`,
        );
      if (attempt === ATTEMPTS) {
        throw new Unobtainable(
          `The download of ${wanted.address} was cut off ${ATTEMPTS} times (${(error as Error).message}); run the same command again to resume it.`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    }
  }
}

async function once({ address, path, bytes, signal, onProgress }: Download): Promise<void> {
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
  if (answer.status === 416 && bytes === null) {
    await answer.body?.cancel();
    return;
  }
  if (!answer.ok || answer.body === null) {
    await answer.body?.cancel();
    const text = `${address} answers ${answer.status}`;
    if (answer.status >= 500 || answer.status === 429) throw new Error(text);
    throw new Unobtainable(`${text}; the publisher may have moved the file.`);
  }
  const begins = answer.status === 206 ? rangeStart(answer) : 0;
  if (begins !== 0 && begins !== from) throw new Error('the server sent another part than it was asked for');
  const length = answer.headers.get('content-length');
  const total = bytes ?? (length === null ? null : begins + Number(length));
  let done = begins;
  const body = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  body.on('data', (chunk: Uint8Array) => onProgress((done += chunk.length), total));
  await pipeline(body, createWriteStream(path, { flags: begins === 0 ? 'w' : 'a' }), { signal });
  if (total !== null && done < total) throw new Error(`${done} of ${total} bytes came`);
}

/** Copies the whole file from a folder, because reading it again is cheap. */
async function copied({ address, path, signal, onProgress }: Download): Promise<void> {
  const { size } = await stat(address).catch((error: NodeJS.ErrnoException) => {
    throw new Unobtainable(`The mirror has no file ${address} (${error.code}).`);
  });
  await requireSpace({ path, bytes: size });
  let done = 0;
  const file = createReadStream(address);
  file.on('data', (chunk) => onProgress((done += chunk.length), size));
  await pipeline(file, createWriteStream(path), { signal });
}

function rangeStart(answer: Response): number {
  const match = /^bytes (\d+)-/.exec(answer.headers.get('content-range') ?? '');
  return match === null ? 0 : Number(match[1]);
}

async function sizeOf(path: string): Promise<number> {
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
