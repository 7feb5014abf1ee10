import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PendingFile, type TemporaryFile } from './pending-file.js';

export const FOLDER_MODE = 0o750;

/** A temporary file on the disk of the store, which `commit` renames to its place. */
export class DiskPendingObject extends PendingFile {
  /**
   * @param file on the same file system as the objects.
   * @param pathOf where the object of a key lies; throws for a bad key.
   */
  constructor(file: TemporaryFile, pathOf: (key: string) => string) {
    super(file, async (path, key) => {
      const target = pathOf(key);
      await makeFolder(dirname(target));
      await rename(path, target);
      // The name, too, must survive a power cut.
      await syncFolder(dirname(target));
    });
  }
}

/** A new folder survives a power cut only when the folder it lies in is synced too. */
export async function makeFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (topmost === undefined) return;
  for (let made = folder; made.length >= topmost.length; made = dirname(made))
    await syncFolder(dirname(made));
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
