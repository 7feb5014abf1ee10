import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Catalog, type Refusal } from './catalog.js';
import { OPERATION_NAME } from './manifest-shape.js';
import type { ModelVersion } from './model-version.js';
import { readVersion, refusalOf, UnsoundVersion, VERSION_NAME } from './read-version.js';

/** Judges a version whose files are as they should be: null to serve it, else a reason that completes "… is not served: ". */
export type Judge = (version: ModelVersion) => Promise<string | null> | string | null;

/**
 * Reads a model repository, `<modelsDir>/<operation>/<version>/manifest.json`. Of each operation the highest
 * sound version serves; a higher one that is not sound is refused with one sentence and the one below it is
 * tried. Every file of the version that serves is hashed, streaming.
 * @param judge asked about each version before it serves; default: whoever reads files only cannot know better
 * @throws Error when the folder itself cannot be read
 */
export async function loadCatalog(modelsDir: string, judge: Judge = () => null): Promise<Catalog> {
  const root = resolve(modelsDir);
  const operations = await folders(root).catch((error: unknown) => {
    throw new Error(`The model repository ${root} cannot be read; set MODELS_DIR to the models folder.`, {
      cause: error,
    });
  });
  const found = await Promise.all(
    operations
      .filter((name) => OPERATION_NAME.test(name))
      .map((operation) => bestVersion(root, operation, judge)),
  );
  return new Catalog(
    found.flatMap(({ version }) => (version === null ? [] : [version])),
    found.flatMap(({ refusals }) => refusals),
  );
}

async function bestVersion(
  root: string,
  operation: string,
  judge: Judge,
): Promise<{ version: ModelVersion | null; refusals: Refusal[] }> {
  const refusals: Refusal[] = [];
  for (const name of await versionFolders(join(root, operation))) {
    try {
      const version = await readVersion(join(root, operation, name));
      const reason = await judge(version);
      if (reason === null) return { version, refusals };
      refusals.push(refusalOf(operation, name, reason));
    } catch (error) {
      if (!(error instanceof UnsoundVersion)) throw error;
      refusals.push(refusalOf(operation, name, error.message));
    }
  }
  return { version: null, refusals };
}

/** The version folders of an operation: those with a wrong name, then the numbers, highest first. */
export async function versionFolders(path: string): Promise<string[]> {
  const names = await folders(path);
  const numbered = names.filter((name) => VERSION_NAME.test(name));
  return [
    ...names.filter((name) => !numbered.includes(name)),
    ...numbered.toSorted((a, b) => Number(b) - Number(a)),
  ];
}

/** Names of the folders in a folder (links followed, dangling ones passed over), hidden ones left out. */
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
