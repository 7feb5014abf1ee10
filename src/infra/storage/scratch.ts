import { mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type DiskSpace, diskSpace } from './disk-space.js';
import { FOLDER_MODE } from './disk-pending-object.js';
import { folderOwner, isOwnerGone } from './scratch-owner.js';
import { ignoreMissing, refuseFullDisk } from './storage-fault.js';

const OWNER_FILE = 'owner.json';
const PROBE_FILE = 'probe';
/** Heartbeat interval, for processes in other namespaces. */
const SIGN_OF_LIFE_MS = 60_000;
const SILENT_MS = 10 * SIGN_OF_LIFE_MS;

/** A folder for the files of one job. It does not exist until it is created. */
export class ScratchDir {
  constructor(private readonly dir: string) {}

  /** @throws AppError `service_unavailable` when the disk is full */
  async make(): Promise<void> {
    await mkdir(this.dir, { recursive: true }).catch(refuseFullDisk);
  }

  /** The path of a file with this name. Does not create it. */
  path(name: string): string {
    return join(this.dir, name);
  }

  /** Removes everything. Never throws, because the sweep of the next start removes leftovers. */
  async remove(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Temporary files of a process. Each process has its own folder below a common one. The next process to start removes
 * the folders of killed processes.
 */
export class Scratch {
  private readonly timer: NodeJS.Timeout;

  private constructor(readonly dir: string) {
    this.timer = setInterval(() => void this.giveSignOfLife(), SIGN_OF_LIFE_MS).unref();
  }

  /** Removes abandoned folders below `dir` and creates the folder of this process. Creates `dir` if it is missing. */
  static async open(dir: string): Promise<Scratch> {
    const root = resolve(dir);
    await mkdir(root, { recursive: true, mode: FOLDER_MODE });
    await sweep(root);
    const own = await mkdtemp(join(root, `${process.pid}-`));
    await writeFile(join(own, OWNER_FILE), JSON.stringify(folderOwner()));
    return new Scratch(own);
  }

  /** @param name unique among the rooms of this process */
  room(name: string): ScratchDir {
    return new ScratchDir(join(this.dir, name));
  }

  /** Free space on the disk of this folder. @throws the file system's error */
  space(): Promise<DiskSpace> {
    return diskSpace(this.dir);
  }

  /** Writes bytes to a file, syncs it, and removes it. @throws the file system's error */
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
    // The next job reports a deleted folder. Here, no caller could handle the error.
    await utimes(this.dir, now, now).catch(() => undefined);
  }
}

/** Removes the folders of processes that have ended. */
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
  // A folder without an owner belongs to a process that is starting, or that exited while starting.
  return owner === undefined ? isSilent : (isOwnerGone(owner) ?? isSilent);
}
