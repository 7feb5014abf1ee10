import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FileLock } from '../infra/processes/file-lock.mjs';
import { FolderLock } from '../infra/processes/folder-lock.js';
import { type LockHolder, namedHolder, readLock } from '../infra/processes/lock-holder.mjs';
import { StartError } from './start-error.js';

/**
 * Ensures that each DATA_DIR has only one supervisor, because two database servers on one cluster destroy it. The file
 * works everywhere. The folder lock also holds while a process of another container is paused and has no heartbeat.
 */
export class DataDirLock {
  private constructor(
    private readonly file: FileLock,
    private readonly folder: FolderLock | undefined,
  ) {}

  /**
   * @param say called before a wait for a supervisor of another container, or of an earlier boot, that may be dead
   * @param silentMs see `Patience`
   * @throws StartError if a running supervisor holds the lock, or the folder is not writable
   */
  static async acquire(
    dataDir: string,
    say: (text: string) => void = () => undefined,
    silentMs?: number,
  ): Promise<DataDirLock> {
    const path = join(dataDir, 'supervisor.lock');
    const folder = await orUnwritable(dataDir, async () => {
      await mkdir(dataDir, { recursive: true });
      return FolderLock.tryAcquire(dataDir);
    });
    if (folder === 'taken') throw new StartError(inUse(dataDir, namedHolder(readLock(path))));
    const onWait = (limitMs: number): void =>
      say(`checking for up to ${limitMs / 1000} s whether another container uses ${dataDir}`);
    try {
      const found = await orUnwritable(dataDir, () => FileLock.tryAcquire(path, { silentMs, onWait }));
      if (found instanceof FileLock) return new DataDirLock(found, folder);
      throw new StartError(inUse(dataDir, found));
    } catch (error) {
      folder?.release();
      throw error;
    }
  }

  release(): void {
    this.file.release();
    this.folder?.release();
  }
}

async function orUnwritable<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The data folder ${dataDir} cannot be written (${reason}).`, { cause: error });
  }
}

function inUse(dataDir: string, holder: LockHolder | undefined): string {
  if (holder?.isElsewhere === true)
    return `The service already runs on ${dataDir}, in another container or on another machine. Run commands there (docker exec <container> …), stop it first, or choose another DATA_DIR.`;
  const pid = holder === undefined ? '' : ` (pid ${holder.pid})`;
  return `The service already runs on ${dataDir}${pid}. Stop it first, or choose another DATA_DIR.`;
}
