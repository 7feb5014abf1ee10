import { type FileHandle, rm } from 'node:fs/promises';
import type { PendingObject } from './object-store.js';
import { refuseFullDisk } from './storage-fault.js';

/** A temporary file of a pending object. */
export interface TemporaryFile {
  /** A handle that is open for writing. The pending object closes it. */
  readonly handle: FileHandle;
  readonly path: string;
}

/** A pending object whose bytes are in a local file until `commit`. */
export class PendingFile implements PendingObject {
  private state: 'writing' | 'sealed' | 'done' = 'writing';

  /**
   * @param keep stores the file durably under a key and removes it; may leave the file after a failure.
   */
  constructor(
    private readonly file: TemporaryFile,
    private readonly keep: (path: string, key: string) => Promise<void>,
  ) {}

  async write(chunk: Uint8Array): Promise<void> {
    if (this.state !== 'writing') throw new Error('this object takes no more bytes');
    const { handle } = this.file;
    await this.orDiscard(async () => {
      // A write may be partial, for example when the disk is nearly full.
      for (let done = 0; done < chunk.length;) {
        done += (await handle.write(chunk, done, chunk.length - done)).bytesWritten;
      }
    });
  }

  async seal(): Promise<string> {
    if (this.state === 'done') throw new Error('this object was committed or discarded before');
    if (this.state === 'writing') {
      await this.orDiscard(() => this.file.handle.sync());
      this.state = 'sealed';
      await this.file.handle.close();
    }
    return this.file.path;
  }

  async commit(key: string): Promise<void> {
    await this.seal();
    await this.orDiscard(() => this.keep(this.file.path, key));
    this.state = 'done';
  }

  async discard(): Promise<void> {
    const { state } = this;
    this.state = 'done';
    if (state === 'writing') await this.file.handle.close();
    if (state !== 'done') await rm(this.file.path, { force: true });
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
