import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { ReadDeadline } from './read-deadline.js';
import { UnreadableModelFile } from './unreadable-model-file.js';

/** The maximum size of each kind of file. ONNX files cannot be larger, because protobuf messages cannot. */
export const MODEL_FILE_LIMITS = {
  manifestBytes: 2 ** 20,
  readmeBytes: 2 ** 20,
  goldenBytes: 2 ** 27,
  graphBytes: 2 ** 31 - 1,
  weightsBytes: 2 ** 32,
} as const;

/** Time limit for opening a file and reading a small one. Larger files get 1 ms more for every 5,000 bytes. */
const DEADLINE_MS = 30_000;
const BYTES_PER_MS = 5000;
const CHUNK_BYTES = 2 ** 18;

export interface ModelFileOptions {
  readonly maxBytes: number;
  /** Default: 30 seconds plus 1 ms for every 5,000 bytes. */
  readonly deadlineMs?: number;
}

/**
 * A file of a model version. Only a regular file below the version's folder is opened, after links are resolved: a FIFO
 * blocks its reader, a device has no end, and a link may lead to any file that this process can read.
 */
export class ModelFile {
  private constructor(
    private readonly handle: FileHandle,
    readonly sizeBytes: number,
    private readonly deadline: ReadDeadline,
  ) {}

  /** Opens a file, passes it to `use` and closes it. @throws UnreadableModelFile; errors of `use` */
  static async with<T>(
    folder: string,
    name: string,
    options: ModelFileOptions,
    use: (file: ModelFile) => Promise<T>,
  ): Promise<T> {
    const deadline = new ReadDeadline(options.deadlineMs ?? DEADLINE_MS);
    try {
      const opening = ModelFile.open(folder, name, options, deadline);
      const file = await deadline.bound(opening).catch((error: unknown) => {
        void opening.then(({ handle }) => handle.close()).catch(() => undefined);
        throw error;
      });
      try {
        return await use(file);
      } finally {
        // Not awaited, because closing waits for a read that may never return.
        void file.handle.close().catch(() => undefined);
      }
    } catch (error) {
      throw await unreadable(error, folder, name);
    }
  }

  private static async open(
    folder: string,
    name: string,
    { maxBytes, deadlineMs }: ModelFileOptions,
    deadline: ReadDeadline,
  ): Promise<ModelFile> {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
    if (!path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`))
      throw new UnreadableModelFile(
        'is a link to a file outside of its folder',
        'copy the file into the folder',
      );
    refuseOthers(await stat(path));
    // Opens without blocking, because a FIFO may have replaced the file in the meantime.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const entry = await handle.stat();
      refuseOthers(entry);
      if (entry.size > maxBytes)
        throw new UnreadableModelFile(
          `has ${entry.size} bytes, more than the ${maxBytes} that are allowed`,
          'use a smaller file',
        );
      if (deadlineMs === undefined) deadline.extend(entry.size / BYTES_PER_MS);
      return new ModelFile(handle, entry.size, deadline);
    } catch (error) {
      void handle.close().catch(() => undefined);
      throw error;
    }
  }

  /** Fills `target` from a position; returns the number of bytes read, fewer at the end of the file. */
  async read(target: Uint8Array, position: number): Promise<number> {
    const { bytesRead } = await this.deadline.bound(this.handle.read(target, 0, target.length, position));
    return bytesRead;
  }

  /** The whole content, with the length that the file had when it was opened. */
  async bytes(): Promise<Buffer<ArrayBuffer>> {
    const bytes = Buffer.alloc(this.sizeBytes);
    let at = 0;
    while (at < bytes.length) {
      const count = await this.read(bytes.subarray(at, at + CHUNK_BYTES), at);
      if (count === 0) break;
      at += count;
    }
    return bytes.subarray(0, at);
  }

  /** SHA-256, lowercase hex, without holding the file in memory. */
  async sha256(): Promise<string> {
    const hash = createHash('sha256');
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let at = 0; at < this.sizeBytes;) {
      const count = await this.read(chunk, at);
      if (count === 0) break;
      hash.update(chunk.subarray(0, count));
      at += count;
    }
    return hash.digest('hex');
  }
}

/** The content of a file of a model version. @throws UnreadableModelFile */
export function readModelFile(path: string): Promise<Buffer<ArrayBuffer>> {
  const options = { maxBytes: MODEL_FILE_LIMITS.graphBytes };
  return ModelFile.with(dirname(path), basename(path), options, (file) => file.bytes());
}

/** SHA-256 of a file, lowercase hex. @throws UnreadableModelFile */
export function hashModelFile(path: string): Promise<string> {
  const options = { maxBytes: MODEL_FILE_LIMITS.weightsBytes };
  return ModelFile.with(dirname(path), basename(path), options, (file) => file.sha256());
}

function refuseOthers(entry: Stats): void {
  if (entry.isFile()) return;
  throw new UnreadableModelFile(
    `is ${kindOf(entry)}, not a regular file`,
    'put the file itself in its place',
  );
}

function kindOf(entry: Stats): string {
  if (entry.isDirectory()) return 'a folder';
  if (entry.isFIFO()) return 'a FIFO';
  if (entry.isSocket()) return 'a socket';
  return 'a device';
}

async function unreadable(error: unknown, folder: string, name: string): Promise<unknown> {
  const code = (error as NodeJS.ErrnoException).code;
  const isFileError = code !== undefined && 'syscall' in (error as object);
  if (!isFileError) return error;
  const { fault, remedy } = code === 'ENOENT' ? await missing(folder, name) : refused(code);
  return new UnreadableModelFile(fault, remedy, { cause: error });
}

interface FileFault {
  readonly fault: string;
  readonly remedy?: string;
}

/** Says more about a file that is there under another name, or only as a link. */
async function missing(folder: string, name: string): Promise<FileFault> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes(name))
    return { fault: 'is a link to a file that does not exist', remedy: 'copy the file into the folder' };
  const other = names.find((one) => one.toLowerCase() === name.toLowerCase());
  if (other === undefined) return { fault: 'is missing' };
  return {
    fault: `is missing: the folder has ${JSON.stringify(other)}, which differs in upper and lower case`,
    remedy: 'rename it',
  };
}

function refused(code: string): FileFault {
  if (code !== 'EACCES' && code !== 'EPERM') return { fault: `cannot be read (${code})` };
  return {
    fault: `may not be read (${code})`,
    remedy: 'let the user that runs this process read the folder and the file',
  };
}
