import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { checkTarget, trouble, writeAll } from './node-files.js';
import type { ResumableFile } from './platform.js';

/** Bytes that are downloaded again on resuming, because a power failure may have damaged the end of the file. */
const REREAD_BYTES = 64 * 1024;

/** @throws ImageEnhancementError `not_saved`, here and from every method of the file */
export async function resumableFile(path: string): Promise<ResumableFile> {
  checkTarget(path);
  const cannotSave = trouble('not_saved', `${path} cannot be written`);
  const parts = (await readdir(dirname(path)).catch(cannotSave)).filter(
    (name) => etagIn(name, path) !== null,
  );
  const [name] = parts;
  const file = new NodeResumableFile(path, cannotSave);
  if (name !== undefined && parts.length === 1) await file.resume(name);
  return file;
}

class NodeResumableFile implements ResumableFile {
  etag: string | null = null;
  sizeBytes = 0;
  private handle: FileHandle | undefined;
  private partPath = '';

  constructor(
    private readonly path: string,
    private readonly cannotSave: (error: unknown) => never,
  ) {}

  async resume(name: string): Promise<void> {
    this.partPath = join(dirname(this.path), name);
    const { size } = await stat(this.partPath).catch(this.cannotSave);
    this.handle = await open(this.partPath, 'r+').catch(this.cannotSave);
    this.etag = etagIn(name, this.path);
    this.sizeBytes = Math.max(0, size - REREAD_BYTES);
    await this.handle.truncate(this.sizeBytes).catch(this.cannotSave);
  }

  restart = async (etag: string | null): Promise<void> => {
    await this.close();
    await this.removeParts().catch(this.cannotSave);
    this.partPath = partOf(this.path, etag);
    this.handle = await open(this.partPath, 'w').catch(this.cannotSave);
    this.etag = etag;
    this.sizeBytes = 0;
  };

  write = async (chunk: Uint8Array): Promise<void> => {
    await writeAll(this.handle!, chunk, this.sizeBytes).catch(this.cannotSave);
    this.sizeBytes += chunk.length;
  };

  keep = async (): Promise<void> => {
    await this.close();
    await rename(this.partPath, this.path).catch(this.cannotSave);
  };

  close = async (): Promise<void> => {
    const { handle } = this;
    this.handle = undefined;
    await handle?.close().catch(this.cannotSave);
  };

  private async removeParts(): Promise<void> {
    const folder = dirname(this.path);
    const names = (await readdir(folder)).filter((name) => etagIn(name, this.path) !== null);
    await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
  }
}

/** In the same folder, so that a rename moves it atomically. Its name includes the ETag of the archive. */
function partOf(path: string, etag: string | null): string {
  const [, text = 'unknown'] = /^"([\w-]{1,64})"$/.exec(etag ?? '') ?? [];
  return join(dirname(path), `.${basename(path)}.${text}.part`);
}

/** The ETag in the name of a partial file; null for any other name. */
function etagIn(name: string, path: string): string | null {
  const prefix = `.${basename(path)}.`;
  if (!name.startsWith(prefix) || !name.endsWith('.part')) return null;
  const text = name.slice(prefix.length, -'.part'.length);
  return /^[\w-]{1,64}$/.test(text) ? `"${text}"` : null;
}
