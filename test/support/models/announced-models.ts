import { join } from 'node:path';
import { Database } from '../../../src/infra/database/database.js';
import type { Catalog } from '../../../src/models/repository/catalog.js';
import { loadCatalog } from '../../../src/models/repository/load-catalog.js';
import { ModelPresence, type PresenceDetails } from '../../../src/models/serving/model-presence.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import type { Harness } from '../app/harness.js';

const OPERATIONS = ['auto_enhance', 'bg_remove', 'smooth_skin', 'upscale'];

/** The committed models under another version number, as a worker would announce them. */
export async function catalogAs(version: number): Promise<Catalog> {
  const catalog = await loadCatalog(join(import.meta.dirname, '../../../models'));
  const operations = catalog
    .operations()
    .map((operation) => Object.assign(operation, { model: { ...operation.model, version } }));
  const versions = operations.map(({ operation }) => ({ operation, version }));
  return Object.assign(Object.create(catalog) as Catalog, {
    operations: () => operations,
    loadedVersions: () => versions,
  });
}

/** Announces a worker without a process that serves one version of every operation, and others in its repository. */
export async function announceWorker(
  harness: Harness,
  serving: number,
  available: readonly number[],
  details: PresenceDetails = {},
  { canary, shadow }: { readonly canary?: number; readonly shadow?: number } = {},
): Promise<ModelPresence> {
  const presence = new ModelPresence(new ModelWorkersRepository(harness.app.get(Database)));
  const folders = available.flatMap((version) => OPERATIONS.map((operation) => ({ operation, version })));
  const catalog = await catalogAs(serving);
  const operationsOf = async (version?: number) =>
    version === undefined ? [] : (await catalogAs(version)).operations();
  const canaries = await operationsOf(canary);
  const shadows = await operationsOf(shadow);
  Object.assign(catalog, { canaryOperations: () => canaries, shadowOperations: () => shadows });
  await presence.begin(catalog, 'cpu', { available: folders, ...details });
  return presence;
}
