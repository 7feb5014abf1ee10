import { join } from 'node:path';
import { fingerprint } from '../../../catalog/built-in-versions.js';
import type { Catalog } from '../../../catalog/catalog.js';
import { loadCatalog } from '../../../catalog/load-catalog.js';
import type { OperationVersion } from '../../../catalog/model-promise.js';
import type { ModelVersion } from '../../../catalog/model-version.js';
import { readVersion, UnsoundVersion } from '../../../catalog/read-version.js';
import type { ServedVersion } from '../../role/role-messages.js';
import type { ModelFault } from './model-fault.js';
import type { ModelVerdicts } from './model-verdicts.js';

export interface ServingCatalogOptions {
  readonly modelsDir: string;
  readonly verdicts: ModelVerdicts;
  /** Versions to have beside the serving ones, for jobs that were promised what they do. */
  readonly also: readonly OperationVersion[];
  /** Whether a version must be tried before it may serve. */
  readonly isTrialNeeded: (version: ModelVersion) => boolean;
  /** Tries one; null when it runs, else why not. */
  readonly tryVersion: (version: ModelVersion) => Promise<ModelFault | null>;
}

/**
 * The catalogue that a worker may serve: the highest versions that are sound and run. A version that does not is
 * refused with its reason, and the one below it takes its place.
 */
export async function servingCatalog(options: ServingCatalogOptions): Promise<Catalog> {
  const { modelsDir, also } = options;
  const catalog = await loadCatalog(modelsDir, (version) => judge(version, options));
  const others: ModelVersion[] = [];
  for (const { operation, version } of also) {
    const other = await soundVersion(join(modelsDir, operation, String(version)));
    if (other !== undefined && (await judge(other, options)) === null) others.push(other);
  }
  return catalog.with(others);
}

async function judge(version: ModelVersion, options: ServingCatalogOptions): Promise<string | null> {
  const { verdicts, isTrialNeeded, tryVersion } = options;
  if (isTrialNeeded(version) && !verdicts.has(version))
    await verdicts.note(version, await tryVersion(version));
  return verdicts.reason(version) ?? null;
}

async function soundVersion(folder: string): Promise<ModelVersion | undefined> {
  try {
    return await readVersion(folder);
  } catch (error) {
    if (error instanceof UnsoundVersion) return undefined;
    throw error;
  }
}

/** What a catalogue serves, by operation; not what it only keeps for earlier promises. */
export function servedVersions(catalog: Catalog): readonly ServedVersion[] {
  const loaded = catalog.loaded();
  return catalog.operations().map(({ operation, model: { version } }) => {
    const serving = loaded.find((one) => one.manifest.operation === operation && one.version === version)!;
    return { operation, version, fingerprint: fingerprint(serving.manifest) };
  });
}

/** Tells catalogues apart by what they serve. */
export function servedBy(catalog: Catalog): string {
  return JSON.stringify(servedVersions(catalog));
}
