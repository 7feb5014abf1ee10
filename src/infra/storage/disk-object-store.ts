import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  link,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isLinkUnsupported } from '../../kernel/errors/link-unsupported.js';
import { Permits } from '../../kernel/permits/permits.js';
import { RecentMap } from '../../kernel/recent-map.js';
import { linkDurably, linkWithFolder } from './disk-link.js';
import { DiskObjectStream } from './disk-object-stream.js';
import { DiskPendingObject, FOLDER_MODE } from './disk-pending-object.js';
import { diskSpace } from './disk-space.js';
import { parseObjectKey, splitObjectKey } from './object-key.js';
import { ObjectStore, type ByteRange, type OpenObject, type PendingObject } from './object-store.js';
import { ignoreExisting, ignoreMissing, refuseMissing, refuseUnusableDisk } from './storage-fault.js';

const FILE_MODE = 0o640;
/** Much less than the minimum age of the objects that the orphan sweep checks. */
const YOUNG_MS = 300_000;
const MAX_TOUCHED = 4_000;
/** As many as the thread pool of Node.js runs at once: more would only wait there, ahead of everything else. */
const MAX_READS = 4;

/**
 * Stores objects as files below one folder, which several processes may share. `tmp/` holds pending objects, `kept/`
 * holds all others in 256 folders for each kind, and the file `installation` holds the id of the owner. A file is
 * synced and then renamed, so a crash leaves either the old or the new bytes, never a part of them.
 */
export class DiskObjectStore extends ObjectStore {
  /** When this process last reset the age of an object, by path. */
  private readonly touchedMs = new RecentMap<number>(MAX_TOUCHED);
  private readonly reads = new Permits(MAX_READS);

  private constructor(
    private readonly temporaryDir: string,
    private readonly keptDir: string,
    private readonly installationFile: string,
  ) {
    super();
  }

  /** Opens the store. Creates missing folders. */
  static async open(dir: string): Promise<DiskObjectStore> {
    const root = resolve(dir);
    const store = new DiskObjectStore(join(root, 'tmp'), join(root, 'kept'), join(root, 'installation'));
    await mkdir(store.temporaryDir, { recursive: true, mode: FOLDER_MODE });
    await mkdir(store.keptDir, { recursive: true, mode: FOLDER_MODE });
    return store;
  }

  async beginWrite(): Promise<PendingObject> {
    const path = join(this.temporaryDir, randomUUID());
    const handle = await open(path, 'wx', FILE_MODE).catch(refuseUnusableDisk);
    return new DiskPendingObject({ handle, path }, (key) => this.pathOf(key));
  }

  async put(key: string, data: Uint8Array): Promise<void> {
    this.pathOf(key);
    const pending = await this.beginWrite();
    // Neither call leaves anything behind when it fails.
    await pending.write(data);
    await pending.commit(key);
  }

  /** Adds a second name for the same bytes, which never change. */
  async copy(fromKey: string, toKey: string, { mayBeLost = false } = {}): Promise<void> {
    const from = this.pathOf(fromKey);
    const to = this.pathOf(toKey);
    // Resets the age before the second name exists, so that the orphan sweep never sees the copy as an old object.
    const touchedMs = await this.touch(from);
    try {
      await (mayBeLost ? linkWithFolder(from, to) : linkDurably(from, to));
      this.touchedMs.set(to, touchedMs);
    } catch (error) {
      if (!isLinkUnsupported(error)) refuseMissing(error);
      await this.put(toKey, await this.read(fromKey));
    }
  }

  /** Resets the age of an object, unless this process did so recently. @returns when this process last did so */
  private async touch(path: string): Promise<number> {
    const now = Date.now();
    const touchedMs = this.touchedMs.get(path);
    // A time in the future means that the clock was set back, so it is ignored.
    if (touchedMs !== undefined && touchedMs <= now && now - touchedMs < YOUNG_MS) return touchedMs;
    await utimes(path, now / 1000, now / 1000).catch(refuseMissing);
    this.touchedMs.set(path, now);
    return now;
  }

  async open(key: string, choose?: (sizeBytes: number) => ByteRange | null): Promise<OpenObject> {
    const handle = await open(this.pathOf(key), 'r').catch(refuseMissing);
    try {
      const { size } = await handle.stat();
      const range = choose?.(size) ?? null;
      const stream = new DiskObjectStream(handle, range ?? { start: 0, end: size - 1 }, this.reads);
      return { stream, sizeBytes: size, range };
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
    for (const kind of await namesIn(this.keptDir)) {
      for (const shard of await namesIn(join(this.keptDir, kind))) {
        const folder = join(this.keptDir, kind, shard);
        for (const name of await namesIn(folder)) {
          const key = `${kind}/${name}`;
          // Other programs leave files behind, such as .nfs000…, .DS_Store, and those of a killed rsync.
          if (splitObjectKey(key) === undefined) continue;
          if (await isOlder(join(folder, name), ageMs)) yield key;
        }
      }
    }
  }

  async sweepTemporary(olderThanMs: number): Promise<void> {
    for (const name of await readdir(this.temporaryDir)) {
      const path = join(this.temporaryDir, name);
      if (await isOlder(path, olderThanMs)) await rm(path, { force: true });
    }
  }

  async installationId(): Promise<string | undefined> {
    return (await readFile(this.installationFile, 'utf8').catch(ignoreMissing))?.trim();
  }

  async claimFor(installationId: string): Promise<void> {
    const path = join(this.temporaryDir, randomUUID());
    await writeFile(path, `${installationId}\n`, { mode: FILE_MODE, flush: true });
    try {
      // Unlike a rename, a link never replaces the claim of another process.
      await link(path, this.installationFile).catch(ignoreExisting);
    } catch (error) {
      if (!isLinkUnsupported(error)) throw error;
      if ((await this.installationId()) === undefined) await rename(path, this.installationFile);
    } finally {
      await rm(path, { force: true });
    }
  }

  async check(): Promise<void> {
    await access(this.temporaryDir, constants.W_OK);
    await access(this.keptDir, constants.W_OK);
  }

  async freeBytes(): Promise<number> {
    return (await diskSpace(this.temporaryDir).catch(refuseUnusableDisk)).freeBytes;
  }

  async directUrl(): Promise<undefined> {
    return undefined;
  }

  async directUploadUrl(): Promise<undefined> {
    return undefined;
  }

  async onApplicationShutdown(): Promise<void> {}

  /** The shard comes from a hash, because ids start with a timestamp and would not be distributed evenly. */
  private pathOf(key: string): string {
    const { kind, name } = parseObjectKey(key);
    const shard = createHash('sha256').update(name).digest('hex').slice(0, 2);
    return join(this.keptDir, kind, shard, name);
  }
}

/** The names in a folder. None if it is something else. */
async function namesIn(path: string): Promise<readonly string[]> {
  return readdir(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [];
    throw error;
  });
}

/** Whether the file exists and was last written more than `ageMs` ago. */
async function isOlder(path: string, ageMs: number): Promise<boolean> {
  const status = await stat(path).catch(ignoreMissing);
  return status?.isFile() === true && Date.now() - status.mtimeMs > ageMs;
}
