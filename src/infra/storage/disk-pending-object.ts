import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertObjectKey } from './object-key.js';
import type { PendingObject } from './object-store.js';
import { refuseFullDisk } from './storage-fault.js';

/** Image bytes are private to the user the service runs as. */
export const FOLDER_MODE = 0o700;

/** A temporary file on the disk of the store, which `commit` renames to its place. */
export class DiskPendingObject implements PendingObject {
  private writtenBytes = 0;
  private isEnded = false;

  /**
   * @param handle of the file at `path`, open for writing; closed by this object.
   * @param path on the same file system as `root`.
   * @param root folder that keys count from; it exists.
   */
  constructor(
    private readonly handle: FileHandle,
    readonly path: string,
    private readonly root: string,
  ) {}

  get sizeBytes(): number {
    return this.writtenBytes;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.assertOpen();
    await this.orDiscard(async () => {
      // A single write may take only a part of the bytes, for example just before the disk is full.
      for (let done = 0; done < chunk.length;) {
        const { bytesWritten } = await this.handle.write(chunk, done, chunk.length - done);
        done += bytesWritten;
        this.writtenBytes += bytesWritten;
      }
    });
  }

  async seal(): Promise<string> {
    this.assertOpen();
    await this.orDiscard(() => this.handle.sync());
    return this.path;
  }

  async commit(key: string): Promise<void> {
    this.assertOpen();
    await this.orDiscard(async () => {
      assertObjectKey(key);
      const target = join(this.root, key);
      await this.handle.sync();
      await makeFolder(dirname(target));
      await rename(this.path, target);
      this.isEnded = true;
      await this.handle.close();
      // The name, too, must survive a power cut.
      await syncFolder(dirname(target));
    });
  }

  async discard(): Promise<void> {
    if (this.isEnded) return;
    this.isEnded = true;
    await this.handle.close();
    await rm(this.path, { force: true });
  }

  private assertOpen(): void {
    if (this.isEnded) throw new Error('this object was committed or discarded before');
  }

  private async orDiscard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await this.discard();
      refuseFullDisk(error);
    }
  }
}

/** A new folder survives a power cut only when the folder it lies in is synced too. */
async function makeFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (topmost === undefined) return;
  for (let made = folder; made.length >= topmost.length; made = dirname(made))
    await syncFolder(dirname(made));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
