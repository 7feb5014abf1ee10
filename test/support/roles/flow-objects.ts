import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** The names of the files in an object store on disk, in alphabetical order. */
export interface HeldFiles {
  readonly sources: readonly string[];
  readonly results: readonly string[];
  readonly thumbnails: readonly string[];
  readonly temporary: readonly string[];
}

/** Reads the object folder of a DATA_DIR. */
export async function heldFiles(dataDir: string): Promise<HeldFiles> {
  const objects = join(dataDir, 'objects');
  return {
    sources: await filesBelow(join(objects, 'kept', 'sources')),
    results: await filesBelow(join(objects, 'kept', 'results')),
    thumbnails: await filesBelow(join(objects, 'kept', 'thumbnails')),
    temporary: await filesBelow(join(objects, 'tmp')),
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => basename(entry.name))
      .toSorted();
  } catch (error) {
    // The store creates the folder of a kind with its first object.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
