import { rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FileLock } from '../infra/processes/file-lock.mjs';
import { FolderLock } from '../infra/processes/folder-lock.js';
import {
  type LockHolder,
  namedHolder,
  ownMark,
  readLock,
  visibleHolder,
} from '../infra/processes/lock-holder.mjs';
import { StartError } from '../roles/start-error.js';
import { errorText } from '../kernel/errors/error-text.js';

export interface DataDirLockOptions {
  /** Called before a wait for a supervisor of another container, or of an earlier boot, that may be dead. */
  readonly say?: (text: string) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** Called if another process takes the lock, because this one was paused for longer than the wait. */
  readonly onLost?: () => void;
  /** See `Patience`. */
  readonly silentMs?: number;
}

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
   * @throws StartError if a running supervisor holds the lock, or the folder is not writable
   * @throws the reason of `signal` if it was aborted
   */
  static async acquire(dataDir: string, options: DataDirLockOptions = {}): Promise<DataDirLock> {
    const { say, signal, silentMs, onLost } = options;
    const path = join(dataDir, 'supervisor.lock');
    // Names the process that waits, because the lock still names the one that it waits for.
    const waiting = join(dataDir, 'supervisor.waiting');
    const folder = await orUnwritable(dataDir, async () => {
      await mkdir(dataDir, { recursive: true });
      return FolderLock.tryAcquire(dataDir);
    });
    if (folder === 'taken') {
      const waiter = visibleHolder(readLock(waiting));
      throw new StartError(
        waiter === undefined ? inUse(dataDir, namedHolder(readLock(path))) : beingChecked(dataDir, waiter),
      );
    }
    const onWait = (limitMs: number): void => {
      writeFileSync(waiting, ownMark(), { mode: 0o600 });
      say?.(`checking for up to ${limitMs / 1000} s whether another container uses ${dataDir}`);
    };
    try {
      const found = await orUnwritable(dataDir, () =>
        FileLock.tryAcquire(path, { silentMs, onWait, signal, onLost }),
      );
      if (found instanceof FileLock) return new DataDirLock(found, folder);
      throw new StartError(inUse(dataDir, found));
    } catch (error) {
      folder?.release();
      signal?.throwIfAborted();
      throw error;
    } finally {
      rmSync(waiting, { force: true });
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
    const reason = errorText(error);
    throw new StartError(`The data folder ${dataDir} cannot be written (${reason}).`, { cause: error });
  }
}

function inUse(dataDir: string, holder: LockHolder | undefined): string {
  if (holder?.isElsewhere === true)
    return `The service already runs on ${dataDir}, in another container or on another machine. Run commands there (docker exec <container> …), stop it first, or choose another DATA_DIR.`;
  const pid = holder === undefined ? '' : ` (pid ${holder.pid})`;
  return `The service already runs on ${dataDir}${pid}. Stop it first, or choose another DATA_DIR.`;
}

function beingChecked(dataDir: string, waiter: LockHolder): string {
  return `Another start (pid ${waiter.pid}) is checking whether another container uses ${dataDir}. Wait until it is done, or choose another DATA_DIR.`;
}
