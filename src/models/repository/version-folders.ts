import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION_NAME } from './read-version.js';

/** The version folders of an operation: invalid names, then numbers, highest first. */
export async function versionFolders(path: string): Promise<string[]> {
  const names = await folders(path);
  const numbered = names.filter((name) => VERSION_NAME.test(name));
  return [
    ...names.filter((name) => !numbered.includes(name)),
    ...numbered.toSorted((a, b) => Number(b) - Number(a)),
  ];
}

/** Names of the folders in a folder, except hidden ones. Links are followed; dangling links are skipped. */
export async function folders(path: string): Promise<string[]> {
  const names = (await readdir(path)).filter((name) => !name.startsWith('.'));
  const isFolder = await Promise.all(
    names.map((name) =>
      stat(join(path, name)).then(
        (entry) => entry.isDirectory(),
        () => false,
      ),
    ),
  );
  return names.filter((_, index) => isFolder[index]).toSorted();
}
