import { fingerprint } from '../repository/built-in-versions.js';
import { Catalog, type Refusal } from '../repository/catalog.js';
import type { ModelVersion } from '../repository/model-version.js';
import { type PreferredVersions, versionRank } from '../repository/version-choice.js';
import { SPECIFIED_OPERATIONS } from '../../kernel/operations.js';

/**
 * What should serve after a change of the model repository. An operation with a version on trial keeps its serving
 * version, unless that version no longer exists and another one can replace it at once.
 * @param loaded what this worker serves
 * @param found what the repository offers
 * @param preferred versions that serve instead of higher ones
 */
export function nextCatalog(
  loaded: Catalog,
  found: Catalog,
  preferred: PreferredVersions = new Map(),
): Catalog {
  const kept = loaded.serving().filter((version) => isKept(version, found, preferred));
  const operations = new Set(kept.map(({ manifest }) => manifest.operation));
  const others = found.serving().filter(({ manifest }) => !operations.has(manifest.operation));
  return new Catalog([...kept, ...others], found.refusals, [], found.excluded);
}

function isKept(
  { manifest: { operation }, version }: ModelVersion,
  found: Catalog,
  preferred: PreferredVersions,
): boolean {
  const untried = found.excluded.untried.filter(({ manifest }) => manifest.operation === operation);
  if (untried.length === 0) return false;
  const next = found.servingVersion(operation);
  if (next === undefined) return true;
  const isUntried = (number: number): boolean => untried.some((one) => one.version === number);
  const choices = preferred.get(operation) ?? [];
  const isHigherUntried = untried.some((one) => one.version > next.version);
  return isUntried(version) && (choices.includes(version) || choices.some(isUntried) || isHigherUntried);
}

/** Versions that serve from memory only, because the repository no longer has them; for `/health/models`. */
export function refusalsOfRemovedVersions(
  loaded: Catalog,
  found: Catalog,
  preferred: PreferredVersions = new Map(),
): readonly Refusal[] {
  return loaded
    .serving()
    .filter((version) => isRemoved(version, found, preferred))
    .map(({ manifest: { operation }, version }) => ({
      operation,
      version: String(version),
      message: `${operation}/${version} still serves from memory, but its folder is missing. Restore the folder, or restart the worker if no other takes over.`,
    }));
}

function isRemoved(
  { manifest: { operation }, version }: ModelVersion,
  found: Catalog,
  preferred: PreferredVersions,
): boolean {
  const next = found.servingVersion(operation);
  const rankOf = (number: number): number => versionRank(number, preferred.get(operation));
  // The repository is read in this order, so versions after the serving one are unknown.
  if (next !== undefined && rankOf(next.version) >= rankOf(version)) return false;
  const known = [
    ...found.refusals.filter((refusal) => refusal.operation === operation).map((refusal) => refusal.version),
    ...found.excluded.untried
      .filter(({ manifest }) => manifest.operation === operation)
      .map((untried) => String(untried.version)),
  ];
  return !known.includes(String(version));
}

/** Versions with the number of a loaded one and another manifest. */
export function changedVersions(loaded: Catalog, wanted: Catalog): readonly ModelVersion[] {
  const before = loaded.inMemory();
  return wanted
    .inMemory()
    .filter((version) =>
      before.some(
        (one) => versionName(one) === versionName(version) && versionKey(one) !== versionKey(version),
      ),
    );
}

/** Operations of the specification that would have no version anymore. */
export function lostOperations(before: Catalog, after: Catalog): readonly string[] {
  return SPECIFIED_OPERATIONS.filter(
    (name) => before.servingVersion(name) !== undefined && after.servingVersion(name) === undefined,
  );
}

/** The version of each operation to try next: the highest. */
export function nextTrials({ excluded: { untried } }: Catalog): readonly ModelVersion[] {
  return untried.filter(
    ({ manifest }, index) =>
      untried.findIndex((one) => one.manifest.operation === manifest.operation) === index,
  );
}

/** A version with its fingerprint, because a changed manifest is another version. */
export function versionKey(version: ModelVersion): string {
  return `${versionName(version)} (${fingerprint(version.manifest).slice(0, 12)})`;
}

/** For example `upscale/2`. */
export function versionName({ manifest, version }: ModelVersion): string {
  return `${manifest.operation}/${version}`;
}
