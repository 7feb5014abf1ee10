import { dirname, join } from 'node:path';
import { LEVELS } from '../../../kernel/operations.js';
import type { ModelVersion } from '../../../models/repository/model-version.js';
import { InvalidVersion, readVersion } from '../../../models/repository/read-version.js';
import { versionFolders } from '../../../models/repository/version-folders.js';

/**
 * A note if the results of a version differ in size from those of the version that it replaces: the highest valid one
 * below it. Customers rely on the size of a level.
 * @param folder of a valid version
 */
export async function sizeChange(folder: string): Promise<string | undefined> {
  const added = await readVersion(folder);
  const replaced = await versionBelow(added);
  if (replaced === undefined) return undefined;
  const changes = LEVELS.flatMap((level) => {
    const [before, after] = [replaced.routes[level].scale, added.routes[level].scale];
    return before === after ? [] : [`${level} ×${after} instead of ×${before}`];
  });
  if (changes.length === 0) return undefined;
  return `scale: results differ in size from those of version ${replaced.version}: ${changes.join(', ')}.`;
}

async function versionBelow({ folder, version }: ModelVersion): Promise<ModelVersion | undefined> {
  const home = dirname(folder);
  for (const name of await versionFolders(home)) {
    if (!(Number(name) < version)) continue;
    try {
      return await readVersion(join(home, name));
    } catch (error) {
      if (!(error instanceof InvalidVersion)) throw error;
    }
  }
  return undefined;
}
