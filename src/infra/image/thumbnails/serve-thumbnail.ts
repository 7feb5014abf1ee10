import { AppError } from '../../../kernel/app-error.js';
import { DROP_ROOT, dropPrivileges } from '../../processes/drop-privileges.js';
import { ignoreStopSignals } from '../../processes/ignore-stop-signals.js';
import { readHeader } from '../containers/header.js';
import { libvips } from '../codec/libvips.js';
import { damaged } from '../codec/refusals.js';
import { thumbnailOfFile } from './thumbnail.js';
import type { ThumbnailRequest, ThumbnailMessage } from './thumbnail-protocol.js';

/** The name in process lists. */
const TITLE = 'small picture';

/**
 * Creates one thumbnail: the request is the first argument, the file arrives on standard input, which stays open while
 * the parent waits, and the responses are lines on standard output.
 */
export function serveThumbnail(): void {
  const order = JSON.parse(process.argv[2]!) as ThumbnailRequest;
  const chunks: Buffer[] = [];
  let missingBytes = order.sizeBytes;
  ignoreStopSignals();
  libvips();
  if (process.argv.includes(DROP_ROOT)) dropPrivileges();
  process.stdin.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    missingBytes -= chunk.length;
    if (missingBytes === 0) void made(Buffer.concat(chunks), order).then(say);
  });
  // Killed even while the decoder works, because a graceful exit would wait for it.
  process.stdin.once('close', () => process.kill(process.pid, 'SIGKILL'));
  say({ kind: 'ready' });
}

async function made(file: Buffer, order: ThumbnailRequest): Promise<ThumbnailMessage> {
  process.title = TITLE;
  try {
    return { kind: 'made', picture: (await small(file, order)).toString('base64') };
  } catch (error) {
    const { code, detail } = error instanceof AppError ? error : damaged('no thumbnail could be made');
    return { kind: 'refused', code, detail };
  }
}

async function small(
  file: Buffer,
  { sidePixels, maxPixels, maxDecodingBytes }: ThumbnailRequest,
): Promise<Buffer> {
  if ((await readHeader(file, { maxPixels })).decodingBytes > maxDecodingBytes)
    throw new AppError('too_many_pixels', {
      detail: 'Decoding this image would take too much memory, so it has no thumbnail.',
    });
  return thumbnailOfFile(file, sidePixels, { maxPixels });
}

function say(word: ThumbnailMessage): void {
  process.stdout.write(`${JSON.stringify(word)}\n`);
}
