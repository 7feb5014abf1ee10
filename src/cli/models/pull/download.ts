import { createWriteStream } from 'node:fs';
import { mkdir, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ModelsError } from '../models-command.js';

export interface Download {
  readonly address: string;
  /** Where the bytes go; what lies there from a download that was cut off is gone on with. */
  readonly path: string;
  /** Null when nobody knows. */
  readonly bytes: number | null;
  readonly signal: AbortSignal;
  readonly onProgress: (doneBytes: number, totalBytes: number | null) => void;
}

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 300;

/** The server will not give it, however often it is asked. */
class Refused extends ModelsError {}

/**
 * Downloads a file, going on where it was cut off, in this run or an earlier one. Whether the bytes are right only
 * their hash tells.
 * @throws ModelsError that says what to do; the signal's reason
 */
export async function download(wanted: Download): Promise<void> {
  await mkdir(dirname(wanted.path), { recursive: true });
  await requireSpace(wanted);
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(wanted);
    } catch (error) {
      wanted.signal.throwIfAborted();
      if (error instanceof Refused) throw error;
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC') throw new ModelsError(`The disk is full: ${wanted.path} cannot be written.`);
      if (attempt === ATTEMPTS) {
        throw new ModelsError(
          `The download of ${wanted.address} was cut off ${ATTEMPTS} times (${(error as Error).message}); run the same command again and it goes on where it was.`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    }
  }
}

async function once({ address, path, bytes, signal, onProgress }: Download): Promise<void> {
  const there = await sizeOf(path);
  if (bytes !== null && there === bytes) return;
  // More than there should be: not this file.
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
    throw new Refused(`${text}; the publisher may have moved the file.`);
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

async function requireSpace({ path, bytes }: Download): Promise<void> {
  if (bytes === null) return;
  const { bavail, bsize } = await statfs(dirname(path));
  const free = bavail * bsize;
  if (free + (await sizeOf(path)) < bytes)
    throw new ModelsError(
      `The download has ${bytes} bytes, and ${dirname(path)} has ${free} left; make room.`,
    );
}
