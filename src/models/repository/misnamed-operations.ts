import { access } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OPERATION_NAME } from '../manifest/manifest-shape.js';
import type { Refusal } from './catalog.js';
import { MISNAMED_OPERATION, refusalOf } from './read-version.js';
import { folders, versionFolders } from './version-folders.js';

/**
 * The version folders with a manifest below a folder whose name no operation can have. Folders without any are not
 * meant for the service, such as `lost+found`.
 */
export async function misnamedVersions(root: string): Promise<readonly string[]> {
  const misnamed = (await folders(root)).filter((name) => !OPERATION_NAME.test(name));
  const found = await Promise.all(misnamed.map((name) => describedIn(join(root, name))));
  return found.flat();
}

/** A refusal of each version folder below a folder whose name no operation can have. */
export async function misnamedRefusals(root: string): Promise<readonly Refusal[]> {
  const found = await misnamedVersions(root);
  return found.map((path) => refusalOf(basename(dirname(path)), basename(path), MISNAMED_OPERATION));
}

async function describedIn(folder: string): Promise<readonly string[]> {
  // It may belong to somebody else, or have been removed in the meantime.
  const paths = (await versionFolders(folder).catch(() => [])).map((name) => join(folder, name));
  const isDescribed = await Promise.all(
    paths.map((path) =>
      access(join(path, 'manifest.json')).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => isDescribed[index]);
}
