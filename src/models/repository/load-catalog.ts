import { basename, join, resolve } from 'node:path';
import { Catalog, type Refusal } from './catalog.js';
import { OPERATION_NAME } from '../manifest/manifest-shape.js';
import type { OperationVersion } from './model-promise.js';
import { ModelsUnreadable } from './models-folder.js';
import type { ModelVersion } from './model-version.js';
import { misnamedRefusals } from './misnamed-operations.js';
import { readVersion, refusalOf, InvalidVersion, VERSION_NAME } from './read-version.js';
import type { PreferredVersions } from './version-choice.js';
import { folders, versionFolders } from './version-folders.js';

/** A judge's result for a version whose trial has not ended. Meanwhile, another version serves. */
export const UNTRIED = Symbol('untried');

/** Null to serve the version, otherwise a reason that completes "… is not served: ". */
export type VersionCheckResult = string | null | typeof UNTRIED;

/** Returns the version of an operation that serves until the trial of a preferred or higher one has ended. */
export type InterimVersion = (operation: string) => Promise<number | undefined> | number | undefined;

/** Judges a version whose files are intact. */
export type VersionCheck = (version: ModelVersion) => Promise<VersionCheckResult> | VersionCheckResult;

/**
 * Reads a model repository, `<modelsDir>/<operation>/<version>/manifest.json`. The first preferred version of each
 * operation that is valid serves, otherwise the highest valid one. An invalid version is refused with one sentence, and
 * the next lower one is tried. Versions of an operation with an invalid name are refused, too. While a version is on
 * trial, the interim version is read next. Every file of the serving version is hashed as a stream.
 * @param judge called for each version before it serves; by default all versions with intact files are accepted
 * @param interim called for each operation with a version on trial; by default the next lower one serves
 * @throws ModelsUnreadable when the folder itself cannot be read
 */
export async function loadCatalog(
  modelsDir: string,
  judge: VersionCheck = () => null,
  preferred: PreferredVersions = new Map(),
  interim: InterimVersion = () => undefined,
): Promise<Catalog> {
  const root = resolve(modelsDir);
  const operations = await folders(root).catch((error: unknown) => {
    throw new ModelsUnreadable(root, error);
  });
  const found = await Promise.all(
    operations
      .filter((name) => OPERATION_NAME.test(name))
      .map((operation) => bestVersion(join(root, operation), judge, preferred.get(operation) ?? [], interim)),
  );
  return new Catalog(
    found.flatMap(({ version }) => (version === null ? [] : [version])),
    [...found.flatMap(({ refusals }) => refusals), ...(await misnamedRefusals(root))],
    [],
    {
      damaged: found.flatMap(({ damaged }) => damaged),
      untried: found.flatMap(({ untried }) => untried),
    },
  );
}

interface Found {
  readonly version: ModelVersion | null;
  readonly refusals: readonly Refusal[];
  readonly damaged: readonly Refusal[];
  readonly untried: readonly ModelVersion[];
}

/** @param folder of an operation */
async function bestVersion(
  folder: string,
  judge: VersionCheck,
  preferred: readonly number[],
  interim: InterimVersion,
): Promise<Found> {
  const operation = basename(folder);
  const refusals: Refusal[] = [];
  const damaged: Refusal[] = [];
  const untried: ModelVersion[] = [];
  let names = preferred.reduceRight(
    (others, version) => first(version, others),
    await versionFolders(folder),
  );
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    try {
      const version = await readVersion(join(folder, name));
      const judgment = await judge(version);
      if (judgment === null) return { version, refusals, damaged, untried };
      if (judgment === UNTRIED) {
        untried.push(version);
        names = first(await interim(operation), names);
      } else refusals.push(refusalOf(operation, name, judgment));
    } catch (error) {
      if (!(error instanceof InvalidVersion)) throw error;
      const refusal = refusalOf(operation, name, error.message);
      refusals.push(refusal);
      damaged.push(refusal);
    }
  }
  return { version: null, refusals, damaged, untried };
}

/** The folders with that of a version first, if it is one of them. */
function first(version: number | undefined, names: readonly string[]): string[] {
  const isFirst = (name: string): boolean => name === String(version);
  return [...names.filter(isFirst), ...names.filter((name) => !isFirst(name))];
}

/** Every version in a model repository, valid or not: the operations by name, the highest version of each first. */
export async function versionsIn(modelsDir: string): Promise<readonly OperationVersion[]> {
  const root = resolve(modelsDir);
  const operations = (await folders(root)).filter((name) => OPERATION_NAME.test(name));
  const found = await Promise.all(
    operations.map(async (operation) => {
      // The folder may have been removed in the meantime.
      const names = await versionFolders(join(root, operation)).catch(() => []);
      return names
        .filter((name) => VERSION_NAME.test(name))
        .map((name) => ({ operation, version: Number(name) }));
    }),
  );
  return found.flat();
}
