import { basename, dirname } from 'node:path';
import { loadCatalog } from '../../models/repository/load-catalog.js';
import { readVersion, refusalOf, InvalidVersion } from '../../models/repository/read-version.js';
import { LEVELS } from '../../kernel/operations.js';
import { textTable } from '../text-table.js';
import type { ModelsCommand } from './models-command.js';
import { allRepositoryFolders } from './version-folders.js';

interface Row {
  readonly operation: string;
  readonly version: string;
  readonly state: 'serves' | 'waits' | 'refused';
  readonly name: string | null;
  readonly engine: string | null;
  readonly license: string | null;
  /** Result pixels per source pixel along each axis: low, medium, high. */
  readonly scales: readonly number[];
  readonly sha256: string | null;
  /** Why a rejected version does not serve. */
  readonly message: string | null;
}

/**
 * `models list`: lists every version of the repository from its files, without running anything. It knows neither the
 * choices of operators nor the verdicts of workers, so the highest valid versions count as those that serve.
 * `npm run admin -- model list` knows both.
 */
export const listModels: ModelsCommand = async ({ config, progress }) => {
  const paths = await allRepositoryFolders(config.modelsDir);
  const catalog = await loadCatalog(config.modelsDir);
  const serving = new Set(catalog.loaded().map(({ folder }) => folder));
  const rows: Row[] = [];
  progress.begin(paths.length, 'reading');
  for (const [index, path] of paths.entries()) {
    progress.to(index, path);
    rows.push(await rowOf(path, serving));
  }
  progress.end();
  return { json: rows, text: asText(rows), failed: false };
};

async function rowOf(path: string, serving: ReadonlySet<string>): Promise<Row> {
  const [operation, version] = [basename(dirname(path)), basename(path)];
  try {
    const { manifest, identity, routes } = await readVersion(path);
    const state = serving.has(path) ? 'serves' : 'waits';
    const { name, engine, license } = manifest;
    const scales = LEVELS.map((level) => routes[level].scale);
    return {
      operation,
      version,
      state,
      name,
      engine,
      license,
      scales,
      sha256: identity.sha256,
      message: null,
    };
  } catch (error) {
    if (!(error instanceof InvalidVersion)) throw error;
    const { message } = refusalOf(operation, version, error.message);
    const nothing = { name: null, engine: null, license: null, scales: [], sha256: null };
    return { operation, version, state: 'refused', ...nothing, message };
  }
}

function asText(rows: readonly Row[]): string {
  const head = ['operation', 'version', 'state', 'model', 'engine', 'license', 'scales', 'sha256'];
  const cells = rows.map(({ operation, version, state, name, engine, license, scales, sha256 }) => [
    operation,
    version,
    state,
    name ?? '–',
    engine ?? '–',
    license ?? '–',
    scales.map((scale) => `×${scale}`).join(' '),
    sha256?.slice(0, 12) ?? '–',
  ]);
  const reasons = rows.flatMap(({ message }) => (message === null ? [] : [message]));
  return [textTable([head, ...cells]), ...reasons].join('\n');
}
