import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FileLock } from '../infra/processes/file-lock.mjs';
import { StartError } from './start-error.js';

/** Ensures that each DATA_DIR has only one supervisor, because two would compete for the database in it. */
export class DataDirLock {
  private constructor(private readonly lock: FileLock) {}

  /** @throws StartError if a running supervisor holds the lock, or the folder is not writable */
  static async acquire(dataDir: string): Promise<DataDirLock> {
    const found = await tryAcquire(dataDir);
    if (found instanceof FileLock) return new DataDirLock(found);
    throw new StartError(
      `The service already runs on ${dataDir} (pid ${found}). Stop it first, or choose another DATA_DIR.`,
    );
  }

  release(): void {
    this.lock.release();
  }
}

/** @returns the lock, or the pid of the process that holds it */
async function tryAcquire(dataDir: string): Promise<FileLock | number> {
  try {
    await mkdir(dataDir, { recursive: true });
    return await FileLock.tryAcquire(join(dataDir, 'supervisor.lock'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The data folder ${dataDir} cannot be written (${reason}).`, { cause: error });
  }
}
