import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ImageEnhancementError } from '../errors.js';
import { fileTooLarge } from '../files/file-limit.js';
import type { FileDraft } from './platform.js';

/**
 * @throws InvalidImageError for a file of more than `maxBytes`; ImageEnhancementError `invalid_file` when it cannot
 *   be read
 */
export async function readImageFile(path: string, maxBytes: number): Promise<Blob> {
  const cannotRead = trouble('invalid_file', `${path} cannot be read`);
  const { size } = await stat(path).catch(cannotRead);
  if (size > maxBytes) throw fileTooLarge(size);
  return new File([await readFile(path).catch(cannotRead)], basename(path));
}

/** @throws ImageEnhancementError `not_saved`, here and from every method of the draft */
export async function draftFile(path: string): Promise<FileDraft> {
  checkTarget(path);
  const cannotSave = trouble('not_saved', `${path} cannot be written`);
  // In the same folder, so that a rename moves it atomically.
  const draftPath = join(dirname(path), `.${randomUUID()}.part`);
  const handle = await open(draftPath, 'wx').catch(cannotSave);
  return new NodeDraft(handle, draftPath, path, cannotSave);
}

/** Without this check, a whole download would end in an error about a temporary file. */
export function checkTarget(path: unknown): void {
  if (typeof path !== 'string' || path === '')
    throw new ImageEnhancementError('not_saved', 'Give the path of the file to write: save(path).');
}

class NodeDraft implements FileDraft {
  private hash = createHash('sha256');
  private position = 0;

  constructor(
    private readonly handle: FileHandle,
    private readonly draftPath: string,
    private readonly path: string,
    private readonly cannotSave: (error: unknown) => never,
  ) {}

  restart = async (): Promise<void> => {
    this.hash = createHash('sha256');
    await this.handle.truncate(0).catch(this.cannotSave);
    this.position = 0;
  };

  write = async (chunk: Uint8Array): Promise<void> => {
    this.hash.update(chunk);
    await writeAll(this.handle, chunk, this.position).catch(this.cannotSave);
    this.position += chunk.length;
  };

  sha256 = (): string => this.hash.copy().digest('hex');

  keep = async (): Promise<void> => {
    await this.handle.close().catch(this.cannotSave);
    await rename(this.draftPath, this.path).catch(this.cannotSave);
  };

  drop = async (): Promise<void> => {
    await this.handle.close().catch(() => undefined);
    await rm(this.draftPath, { force: true }).catch(() => undefined);
  };
}

/** Writes a whole chunk at a position of a file. */
export async function writeAll(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, position + at);
    at += bytesWritten;
  }
}

/** Wraps a disk error in an error of this library, so that it is not mistaken for a connection error and retried. */
export function trouble(code: string, what: string): (error: unknown) => never {
  return (error) => {
    throw new ImageEnhancementError(code, `${what}: ${reasonOf(error)}.`, { cause: error });
  };
}

/**
 * Why the system refused, such as "no space left on device": the message of Node.js without its code, and without the
 * system call and its paths, which may be those of temporary files.
 */
export function reasonOf(error: unknown): string {
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || !message.startsWith(`${code}: `)) return message;
  return message.slice(code.length + 2).split(`, ${syscall}`, 1)[0]!;
}
