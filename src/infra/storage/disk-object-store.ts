import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, opendir, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DiskPendingObject, FOLDER_MODE } from './disk-pending-object.js';
import { assertObjectKey } from './object-key.js';
import { ObjectStore, type OpenedObject, type PendingObject } from './object-store.js';
import { ignoreMissing, refuseFullDisk, refuseMissing } from './storage-fault.js';

/** Hidden, so that no key can name it; inside the root, because a rename is atomic only on one file system. */
const TEMPORARY_FOLDER = '.temporary';
const FILE_MODE = 0o600;

/**
 * Objects as files below one folder, which several processes may share. The folder is made when first needed.
 * Every object appears by a rename after an fsync: a crash leaves the old bytes or the new ones, never a mixture.
 */
export class DiskObjectStore extends ObjectStore {
  private readonly root: string;
  private readonly temporary: string;

  constructor(root: string) {
    super();
    this.root = resolve(root);
    this.temporary = join(this.root, TEMPORARY_FOLDER);
  }

  /** The store below `root`, with its folders made. */
  static async open(root: string): Promise<DiskObjectStore> {
    const store = new DiskObjectStore(root);
    await store.check();
    return store;
  }

  async beginWrite(): Promise<PendingObject> {
    const path = join(this.temporary, randomUUID());
    await this.makeTemporary().catch(refuseFullDisk);
    const handle = await open(path, 'wx', FILE_MODE).catch(refuseFullDisk);
    return new DiskPendingObject(handle, path, this.root);
  }

  async put(key: string, data: Uint8Array): Promise<void> {
    assertObjectKey(key);
    const pending = await this.beginWrite();
    // Both leave nothing behind when they fail.
    await pending.write(data);
    await pending.commit(key);
  }

  async open(key: string): Promise<OpenedObject> {
    const handle = await open(this.pathOf(key), 'r').catch(refuseMissing);
    try {
      const { size } = await handle.stat();
      return { stream: handle.createReadStream(), sizeBytes: size };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async read(key: string): Promise<Buffer> {
    return readFile(this.pathOf(key)).catch(refuseMissing);
  }

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  async *keysOlderThan(ageMs: number): AsyncGenerator<string> {
    const kinds = (await readdir(this.root).catch(ignoreMissing)) ?? [];
    for (const kind of kinds.filter((name) => name !== TEMPORARY_FOLDER)) yield* this.keysBelow(kind, ageMs);
  }

  async sweepTemporary(olderThanMs: number): Promise<number> {
    let removed = 0;
    for (const name of (await readdir(this.temporary).catch(ignoreMissing)) ?? []) {
      const path = join(this.temporary, name);
      if (!(await isOlder(path, olderThanMs))) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  async check(): Promise<void> {
    await this.makeTemporary();
    await access(this.temporary, constants.W_OK);
    await access(this.root, constants.W_OK);
  }

  /** Walks entry by entry: a store may hold more names than should stand in memory at once. */
  private async *keysBelow(folder: string, ageMs: number): AsyncGenerator<string> {
    for await (const entry of await opendir(join(this.root, folder))) {
      const key = `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.keysBelow(key, ageMs);
      else if (await isOlder(join(this.root, key), ageMs)) yield key;
    }
  }

  private async makeTemporary(): Promise<void> {
    await mkdir(this.temporary, { recursive: true, mode: FOLDER_MODE });
  }

  private pathOf(key: string): string {
    assertObjectKey(key);
    return join(this.root, key);
  }
}

/** Whether there is a file last written longer ago than this; one that went away meanwhile is none. */
async function isOlder(path: string, ageMs: number): Promise<boolean> {
  const status = await stat(path).catch(ignoreMissing);
  return status !== undefined && Date.now() - status.mtimeMs > ageMs;
}
