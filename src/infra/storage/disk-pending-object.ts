import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PendingObject } from './object-store.js';
import { refuseFullDisk } from './storage-fault.js';

export const FOLDER_MODE = 0o750;

/** A temporary file on the disk of the store, which `commit` renames to its place. */
export class DiskPendingObject implements PendingObject {
  private state: 'writing' | 'sealed' | 'done' = 'writing';

  /**
   * @param handle of the file at `path`, open for writing; closed by this object.
   * @param path on the same file system as the objects.
   * @param pathOf where the object of a key lies; throws for a bad key.
   */
  constructor(
    private readonly handle: FileHandle,
    private readonly path: string,
    private readonly pathOf: (key: string) => string,
  ) {}

  async write(chunk: Uint8Array): Promise<void> {
    if (this.state !== 'writing') throw new Error('this object takes no more bytes');
    await this.orDiscard(async () => {
      // A write may be partial, for example just before the disk is full.
      for (let done = 0; done < chunk.length;) {
        done += (await this.handle.write(chunk, done, chunk.length - done)).bytesWritten;
      }
    });
  }

  async seal(): Promise<string> {
    if (this.state === 'done') throw new Error('this object was committed or discarded before');
    if (this.state === 'writing') {
      await this.orDiscard(() => this.handle.sync());
      this.state = 'sealed';
      await this.handle.close();
    }
    return this.path;
  }

  async commit(key: string): Promise<void> {
    await this.seal();
    await this.orDiscard(async () => {
      const target = this.pathOf(key);
      await makeFolder(dirname(target));
      await rename(this.path, target);
      this.state = 'done';
      // The name, too, must survive a power cut.
      await syncFolder(dirname(target));
    });
  }

  async discard(): Promise<void> {
    const { state } = this;
    this.state = 'done';
    if (state === 'writing') await this.handle.close();
    if (state !== 'done') await rm(this.path, { force: true });
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
