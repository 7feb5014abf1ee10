import { mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type DiskSpace, diskSpace } from './disk-space.js';
import { FOLDER_MODE } from './disk-pending-object.js';
import { folderOwner, isOwnerGone } from './scratch-owner.js';
import { ignoreMissing, refuseFullDisk } from './storage-fault.js';

const OWNER_FILE = 'owner.json';
const PROBE_FILE = 'probe';
/** How often a living process says so, for those that cannot see it. */
const SIGN_OF_LIFE_MS = 60_000;
const SILENT_MS = 10 * SIGN_OF_LIFE_MS;

/** A folder for the files of one piece of work; there is none until it is made. */
export class ScratchDir {
  constructor(private readonly dir: string) {}

  /** @throws AppError `service_unavailable` when the disk is full */
  async make(): Promise<void> {
    await mkdir(this.dir, { recursive: true }).catch(refuseFullDisk);
  }

  /** Where a file of this name belongs; it is not made. */
  path(name: string): string {
    return join(this.dir, name);
  }

  /** Removes everything; never throws, since the sweep of the next start will do it too. */
  async remove(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Temporary files of a process, which may be as large as its work. Each process has a folder of its own below
 * a common one; what a process that was killed has left is removed when the next one starts.
 */
export class Scratch {
  private readonly timer: NodeJS.Timeout;

  private constructor(readonly dir: string) {
    this.timer = setInterval(() => void this.giveSignOfLife(), SIGN_OF_LIFE_MS).unref();
  }

  /** Sweeps below `dir`, which is made where it is missing, and makes this process' own folder in it. */
  static async open(dir: string): Promise<Scratch> {
    const root = resolve(dir);
    await mkdir(root, { recursive: true, mode: FOLDER_MODE });
    await sweep(root);
    const own = await mkdtemp(join(root, `${process.pid}-`));
    await writeFile(join(own, OWNER_FILE), JSON.stringify(folderOwner()));
    return new Scratch(own);
  }

  /** @param name no other room of this process has at the same time */
  room(name: string): ScratchDir {
    return new ScratchDir(join(this.dir, name));
  }

  /** Room on the disk of this folder. @throws the file system's error */
  space(): Promise<DiskSpace> {
    return diskSpace(this.dir);
  }

  /** Writes bytes to a file, through to the disk, and removes it again. @throws the file system's error */
  async probe(bytes: Uint8Array): Promise<void> {
    const path = join(this.dir, PROBE_FILE);
    try {
      await writeFile(path, bytes, { flush: true });
    } finally {
      await rm(path, { force: true });
    }
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await rm(this.dir, { recursive: true, force: true });
  }

  private async giveSignOfLife(): Promise<void> {
    const now = new Date();
    // A folder that somebody deleted shows at the next job; there is nobody to tell here.
    await utimes(this.dir, now, now).catch(() => undefined);
  }
}

/** Removes the folders of processes that are gone. */
async function sweep(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const dir = join(root, name);
    if (await isAbandoned(dir)) await rm(dir, { recursive: true, force: true });
  }
}

async function isAbandoned(dir: string): Promise<boolean> {
  const status = await stat(dir).catch(ignoreMissing);
  if (status === undefined) return false;
  const isSilent = Date.now() - status.mtimeMs > SILENT_MS;
  const owner = await readFile(join(dir, OWNER_FILE), 'utf8').catch(() => undefined);
  // Without a word about its owner it is a process at its very start, or one that ended there.
  return owner === undefined ? isSilent : (isOwnerGone(owner) ?? isSilent);
}
