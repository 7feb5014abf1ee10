import { rename, rm } from 'node:fs/promises';
import { textTable } from '../text-table.js';
import { hashesOf, installedNotes, manifestOf, type ReadManifest } from './add/installed-notes.js';
import { addEsrganSlim, ESRGAN_SLIM } from './esrgan-slim.js';
import { installVersion } from './install-version.js';
import {
  type ModelsAnswer,
  type ModelsCommand,
  type ModelsContext,
  ModelsError,
  requireOwnFolder,
} from './models-command.js';
import { requireAssent, requireAssentToAll } from './pull/assent.js';
import { conversionSteps, keptHash, keptPath } from './pull/conversion.js';
import { fetchModel } from './pull/fetch-model.js';
import { readUpstream, UPSTREAM_CATALOG, type UpstreamModel } from './pull/upstream-catalog.js';
import { writeVersion } from './pull/write-version.js';
import { repositoryFolders } from './version-folders.js';

/** In place of a name: the recommended models of the catalog. */
const RECOMMENDED = 'recommended';

export interface PullOptions {
  /** Path of the catalog. */
  readonly catalog?: string;
  readonly acceptLicense?: boolean;
  /** The hash of a file for which the catalog has none. */
  readonly sha256?: string;
}

interface Pulled {
  readonly name: string;
  readonly folder: string;
  readonly version: number | null;
  readonly sha256: string;
  /** What users should look at, although the version was installed. */
  readonly notes?: readonly string[];
  /** The next steps for a file that must be converted. */
  readonly next?: readonly string[];
}

/**
 * `models pull <name>`: downloads a well-known model, verifies its hash, adds its manifest, and installs it as the next
 * version. `recommended` does so for all recommended models that are not installed. Without a name, lists the models.
 */
export function pullModel(name: string | undefined, options: PullOptions): ModelsCommand {
  return (context) => pulled(context, name, options);
}

async function pulled(
  context: ModelsContext,
  name: string | undefined,
  options: PullOptions,
): Promise<ModelsAnswer> {
  const models = await readUpstream(options.catalog ?? UPSTREAM_CATALOG);
  if (name === undefined) return listed(models);
  requireOwnFolder(context.config);
  if (name === RECOMMENDED) return recommended(context, models, options);
  if (name === ESRGAN_SLIM) return addEsrganSlim(context);
  const model = models.find((candidate) => candidate.name === name);
  if (model === undefined) {
    const names = [...models.map((candidate) => candidate.name), ESRGAN_SLIM].join(', ');
    throw new ModelsError(`There is no model "${name}" in the catalog: ${names}.`);
  }
  if (options.acceptLicense !== true) await requireAssent(model, context);
  const done = await one(context, model, options.sha256);
  return { json: done, text: textOf(model, done) };
}

async function recommended(
  context: ModelsContext,
  models: readonly UpstreamModel[],
  { acceptLicense = false }: PullOptions,
): Promise<ModelsAnswer> {
  const { modelsDir } = context.config;
  const versions = await installedVersions(modelsDir);
  const wanted = models.filter((model) => model.recommended === true && !isInstalled(model, versions));
  if (wanted.length === 0) return { json: [], text: 'All recommended models are installed.' };
  const kept = await Promise.all(wanted.map((model) => keptHash(modelsDir, model)));
  const absent = wanted.filter((_, index) => kept[index] === null);
  if (!acceptLicense && absent.length > 0) await requireAssentToAll(absent, context);
  const done: Pulled[] = [];
  for (const model of wanted) done.push(await one(context, model, undefined));
  return { json: done, text: done.map((each, index) => textOf(wanted[index]!, each)).join('\n') };
}

async function one(
  context: ModelsContext,
  model: UpstreamModel,
  sha256: string | undefined,
): Promise<Pulled> {
  const kept = await keptHash(context.config.modelsDir, model, model.file.sha256 ?? sha256);
  if (kept !== null) return forConversion(context, model, kept);
  return fetchModel(model, sha256, context, async (file) => {
    if (model.manifest === undefined) {
      await rename(file.path, keptPath(context.config.modelsDir, model));
      return forConversion(context, model, file.sha256);
    }
    const { folder, version } = await installVersion(context, model.operation, (draft) =>
      writeVersion(model, file, draft),
    );
    await rm(file.path, { force: true });
    context.progress.end();
    const notes = await installedNotes(folder);
    return { name: model.name, folder, version, sha256: file.sha256, notes };
  });
}

/** The next steps for weights that must be converted, which were downloaded now or earlier. */
function forConversion({ config, progress }: ModelsContext, model: UpstreamModel, sha256: string): Pulled {
  progress.end();
  const { modelsDir } = config;
  const folder = keptPath(modelsDir, model);
  return { name: model.name, folder, version: null, sha256, next: conversionSteps(modelsDir, model) };
}

function textOf({ title, license }: UpstreamModel, { folder, notes = [], next }: Pulled): string {
  const installed = `Installed: ${folder} (${title}, ${license.id}). A running service takes it over by itself, unless an operator chose the version that serves.`;
  if (next === undefined) return [installed, ...notes.map((note) => `Look at ${note}`)].join('\n');
  return [`Downloaded: ${folder} (${title}, ${license.id}). Convert and add it:`, ...next].join('\n');
}

function listed(models: readonly UpstreamModel[]): ModelsAnswer {
  const rows = models.map(({ name, title, operation, license, file, convert, recommended: is }) => [
    name,
    operation,
    license.id,
    [
      ...(is === true ? ['recommended'] : []),
      ...(license.permissive ? [] : ['requires acceptance']),
      ...(convert === undefined ? [] : ['to convert']),
    ].join(', '),
    file.bytes === null ? '–' : (file.bytes / 1e6).toFixed(1),
    title,
  ]);
  rows.push([ESRGAN_SLIM, 'upscale', 'MIT', '', '–', 'UpscalerJS ESRGAN Slim, from its npm package']);
  return { json: models, text: textTable([['name', 'operation', 'license', '', 'MB', 'model'], ...rows]) };
}

/** The manifests of all versions, except unreadable ones. */
async function installedVersions(modelsDir: string): Promise<readonly ReadManifest[]> {
  const folders = await repositoryFolders(modelsDir).catch(() => []);
  const manifests = await Promise.all(folders.map(manifestOf));
  return manifests.filter((manifest) => manifest !== undefined);
}

/** A converted model has another hash than its weights, but the name and source of the catalog. */
function isInstalled({ name, file, convert }: UpstreamModel, versions: readonly ReadManifest[]): boolean {
  return versions.some(
    (version) =>
      hashesOf(version.stages).includes(file.sha256 ?? '') ||
      (convert !== undefined && version.name === name && version.source === convert.source),
  );
}
