import { access } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { OPERATION_NAME } from '../../models/manifest/manifest-shape.js';
import { misnamedVersions } from '../../models/repository/misnamed-operations.js';
import { VERSION_NAME } from '../../models/repository/read-version.js';
import { folders, versionFolders } from '../../models/repository/version-folders.js';
import { ModelsError } from './models-command.js';

/** Every version folder of a repository that may serve, by operation, highest first. @throws ModelsError */
export async function repositoryFolders(modelsDir: string): Promise<readonly string[]> {
  const operations = await folders(modelsDir).catch((error: NodeJS.ErrnoException) => {
    throw new ModelsError(`The folder ${modelsDir} cannot be read (${error.code}).`);
  });
  const found = await Promise.all(
    operations
      .filter((name) => OPERATION_NAME.test(name))
      .map((name) => operationFolders(join(modelsDir, name))),
  );
  return found.flat();
}

/** Like `repositoryFolders`, then those of operations with invalid names. @throws ModelsError */
export async function allRepositoryFolders(modelsDir: string): Promise<readonly string[]> {
  return [...(await repositoryFolders(modelsDir)), ...(await misnamedVersions(modelsDir))];
}

/**
 * The version folders that a path refers to: one version, all of an operation, or all of a repository.
 * @throws ModelsError
 */
export async function foldersAt(path: string): Promise<readonly string[]> {
  const folder = resolve(path);
  if (VERSION_NAME.test(basename(folder))) await requireVersion(folder);
  if (VERSION_NAME.test(basename(folder)) || (await isThere(join(folder, 'manifest.json')))) return [folder];
  const names = await folders(folder).catch((error: NodeJS.ErrnoException) => {
    throw new ModelsError(`The folder ${folder} cannot be read (${error.code}).`);
  });
  const isOperation = names.some((name) => VERSION_NAME.test(name));
  const found = isOperation ? await operationFolders(folder) : await allRepositoryFolders(folder);
  if (found.length === 0) throw new ModelsError(`There is no model version in ${folder}.`);
  return found;
}

/**
 * The version folders that a user means: by the path of a folder, or, if there is no such folder, by the name of a
 * version or an operation of the repository, such as `upscale@2`, `upscale/2` or `upscale`.
 * @throws ModelsError
 */
export async function namedFolders(modelsDir: string, text: string): Promise<readonly string[]> {
  const [operation = '', version, ...others] = text.split(/[@/]/);
  const isName =
    OPERATION_NAME.test(operation) &&
    (version === undefined || VERSION_NAME.test(version)) &&
    others.length === 0;
  if (!isName || (await isThere(text))) return foldersAt(text);
  const root = resolve(modelsDir);
  if (version !== undefined) return foldersAt(join(root, operation, version));
  if (await isThere(join(root, operation))) return foldersAt(join(root, operation));
  throw new ModelsError(`There is no version of ${operation} in ${root}.`);
}

/**
 * Requires that a version folder exists.
 * @throws ModelsError that names the versions that do
 */
export async function requireVersion(folder: string): Promise<void> {
  if (await isThere(folder)) return;
  const [operation, root] = [basename(dirname(folder)), dirname(dirname(folder))];
  const found = (await versionFolders(dirname(folder)).catch(() => [])).filter((name) =>
    VERSION_NAME.test(name),
  );
  const [last, ...others] = found;
  if (last === undefined) throw new ModelsError(`There is no version of ${operation} in ${root}.`);
  const versions = others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
  throw new ModelsError(
    `There is no version ${basename(folder)} of ${operation} in ${root}; it has ${versions}.`,
  );
}

async function operationFolders(path: string): Promise<readonly string[]> {
  return (await versionFolders(path)).map((name) => join(path, name));
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
