import { join } from 'node:path';
import { fingerprint } from '../repository/built-in-versions.js';
import type { Catalog } from '../repository/catalog.js';
import { loadCatalog, UNTRIED, type VersionCheckResult, versionsIn } from '../repository/load-catalog.js';
import type { OperationVersion, PromisedVersion } from '../repository/model-promise.js';
import type { ModelVersion } from '../repository/model-version.js';
import { readVersion, InvalidVersion } from '../repository/read-version.js';
import type { PreferredVersions } from '../repository/version-choice.js';
import type { ServedVersion } from '../../roles/role-messages.js';
import { versionName } from './exchange.js';
import { foundVersions } from './found-versions.js';
import type { ModelFault } from './model-fault.js';
import type { ModelVerdicts } from './model-verdicts.js';

export interface ServingCatalogOptions {
  readonly modelsDir: string;
  readonly verdicts: ModelVerdicts;
  /** Additional versions for jobs to which their results were promised. */
  readonly also: readonly PromisedVersion[];
  /** Versions that serve instead of the highest ones. */
  readonly preferred?: PreferredVersions;
  /** Versions that run a share of new jobs. */
  readonly canaries?: readonly OperationVersion[];
  /** Versions that run finished jobs again. */
  readonly shadows?: readonly OperationVersion[];
  /** Whether a version must be tried before it may serve. */
  readonly isTrialNeeded: (version: ModelVersion) => boolean;
  /**
   * The versions that the previous worker serves, by operation; called only when there is an untried version. Untried
   * versions of these operations are postponed when another version needs no trial. Default: none.
   */
  readonly servedBefore?: () => Promise<ReadonlyMap<string, number>>;
  /** Tries a version; null when it runs, otherwise the reason. */
  readonly runTrial: (version: ModelVersion) => Promise<ModelFault | null>;
}

/**
 * The catalog that a worker may serve: the preferred or highest valid versions that run. A version that does not run is
 * refused with its reason, and the next lower one replaces it.
 */
export async function servingCatalog(options: ServingCatalogOptions): Promise<Catalog> {
  const { modelsDir, also, verdicts } = options;
  await verdicts.refresh();
  const catalog = await withChosen(await servedCatalog(options), options);
  const others: ModelVersion[] = [];
  for (const { operation, version } of also) {
    const other = await soundVersion(join(modelsDir, operation, String(version)));
    if (other !== undefined && (await judge(other, options, ALONE)) === null) others.push(other);
  }
  return catalog.with(others, also);
}

/** Leaves out untried canaries and shadows, because the worker tries them while it serves the other versions. */
async function withChosen(catalog: Catalog, options: ServingCatalogOptions): Promise<Catalog> {
  const { modelsDir, canaries = [], shadows = [] } = options;
  if (canaries.length + shadows.length === 0) return catalog;
  const circumstances = { isPostponed: async () => true, isUnserved: false };
  const available = await versionsIn(modelsDir);
  const find = (wanted: readonly OperationVersion[]) =>
    foundVersions(modelsDir, wanted, available, (version) => judge(version, options, circumstances));
  return catalog.withCanaries(await find(canaries)).withShadows(await find(shadows));
}

/** @param unserved operations that would have no version if their trials were postponed */
async function servedCatalog(
  options: ServingCatalogOptions,
  unserved: ReadonlySet<string> = new Set(),
): Promise<Catalog> {
  const { servedBefore = async () => new Map<string, number>() } = options;
  const isUnserved = ({ manifest: { operation } }: ModelVersion): boolean => unserved.has(operation);
  const isPostponed = async (version: ModelVersion): Promise<boolean> =>
    !isUnserved(version) && (await servedBefore()).has(version.manifest.operation);
  const catalog = await loadCatalog(
    options.modelsDir,
    (version) => judge(version, options, { isPostponed, isUnserved: isUnserved(version) }),
    options.preferred,
    async (operation) => (await servedBefore()).get(operation),
  );
  const missing = catalog.excluded.untried
    .map(({ manifest: { operation } }) => operation)
    .filter((operation) => catalog.servingVersion(operation) === undefined && !unserved.has(operation));
  return missing.length === 0 ? catalog : servedCatalog(options, new Set([...unserved, ...missing]));
}

const ALONE: Circumstances = { isPostponed: async () => false, isUnserved: true };

/** Decides about a version that has not been tried. */
interface Circumstances {
  readonly isPostponed: (version: ModelVersion) => Promise<boolean>;
  /** Whether no other version can serve the operation. */
  readonly isUnserved: boolean;
}

async function judge(
  version: ModelVersion,
  { verdicts, isTrialNeeded, runTrial }: ServingCatalogOptions,
  { isPostponed, isUnserved }: Circumstances,
): Promise<VersionCheckResult> {
  if (isTrialNeeded(version) && !verdicts.has(version)) {
    if (await isPostponed(version)) return UNTRIED;
    const fault = await runTrial(version);
    const isWaiting = fault?.remote === 'away' || fault?.remote === 'late';
    // Its jobs wait for the server, and its stages are compared with the manifest once the server is back.
    if (isWaiting && isUnserved) return null;
    if (isWaiting || fault?.remote === 'absent') return UNTRIED;
    await verdicts.note(version, fault);
  }
  return verdicts.reason(version) ?? null;
}

async function soundVersion(folder: string): Promise<ModelVersion | undefined> {
  try {
    return await readVersion(folder);
  } catch (error) {
    if (error instanceof InvalidVersion) return undefined;
    throw error;
  }
}

/** The serving versions of a catalog, then its canaries and shadows. Omits versions kept only for earlier promises. */
export function servedVersions(catalog: Catalog): readonly ServedVersion[] {
  const { canaries, shadows } = catalog;
  return [
    ...sortedVersions(catalog.serving()).map(servedVersion),
    ...sortedVersions(canaries).map((one) => Object.assign(servedVersion(one), { isCanary: true as const })),
    ...sortedVersions(shadows).map((one) => Object.assign(servedVersion(one), { isShadow: true as const })),
  ];
}

/** The names of versions that are loaded only for earlier promises. */
export function namesForPromises(catalog: Catalog): readonly string[] {
  const served = new Set([...catalog.serving(), ...catalog.canaries]);
  return catalog
    .loaded()
    .filter((version) => !served.has(version))
    .map(versionName);
}

const sortedVersions = (versions: readonly ModelVersion[]): readonly ModelVersion[] =>
  versions.toSorted((a, b) => (a.manifest.operation < b.manifest.operation ? -1 : 1));

function servedVersion({ manifest, version }: ModelVersion): ServedVersion {
  return { operation: manifest.operation, version, fingerprint: fingerprint(manifest) };
}

/** A key that distinguishes catalogs by what they serve. */
export function servedBy(catalog: Catalog): string {
  return JSON.stringify(servedVersions(catalog));
}
