import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PendingFile, type TemporaryFile } from './pending-file.js';

export const FOLDER_MODE = 0o750;

/** A temporary file on the disk of the store. `commit` renames it. */
export class DiskPendingObject extends PendingFile {
  /**
   * @param file on the same file system as the objects.
   * @param pathOf returns the path of the object with a key; throws for an invalid key.
   */
  constructor(file: TemporaryFile, pathOf: (key: string) => string) {
    super(file, async (path, key) => {
      const target = pathOf(key);
      await makeFolder(dirname(target));
      await rename(path, target);
      // The name must also survive a power failure.
      await syncFolder(dirname(target));
    });
  }
}

/** Also syncs the parent, because a new folder survives a power failure only then. */
export async function makeFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (topmost === undefined) return;
  for (let made = folder; made.length >= topmost.length; made = dirname(made))
    await syncFolder(dirname(made));
}

/** Syncs the names in a folder, so that they survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
