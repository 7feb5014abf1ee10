import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { readModelHead } from '../../models/onnx/model-head.js';
import { hashModelFile } from '../../models/files/model-file.js';
import { textTable } from '../demo/text-table.js';
import { addEsrganSlim } from './esrgan-slim.js';
import { installVersion } from './install-version.js';
import {
  type ModelsAnswer,
  type ModelsCommand,
  type ModelsContext,
  ModelsError,
  requireOwnFolder,
} from './models-command.js';
import { download } from './pull/download.js';
import { readUpstream, type UpstreamModel } from './pull/upstream-catalogue.js';

const CATALOGUE = fileURLToPath(new URL('../../../models/upstream.json', import.meta.url));
/** Comes with the npm package of the same name instead of a download. */
const ESRGAN_SLIM = 'esrgan-slim';

interface PullOptions {
  /** Path of the catalogue. */
  readonly catalogue?: string;
  readonly acceptLicence?: boolean;
}

type Json = Record<string, unknown>;

/**
 * `models pull <name>`: fetches a well-known model, checks its hash, wraps it with its manifest and installs it as the
 * next version. Without a name: which there are.
 */
export function pullModel(name: string | undefined, options: PullOptions): ModelsCommand {
  return (context) => pulled(context, name, options);
}

async function pulled(
  context: ModelsContext,
  name: string | undefined,
  { catalogue = CATALOGUE, acceptLicence = false }: PullOptions,
): Promise<ModelsAnswer> {
  const models = await readUpstream(catalogue);
  if (name === undefined) return listed(models);
  requireOwnFolder(context.config);
  if (name === ESRGAN_SLIM) {
    const folder = await addEsrganSlim(context.config.modelsDir);
    return { json: { name, folder }, text: `Installed: ${folder}` };
  }
  const model = models.find((candidate) => candidate.name === name);
  if (model === undefined) {
    const names = [...models.map((candidate) => candidate.name), ESRGAN_SLIM].join(', ');
    throw new ModelsError(`There is no model "${name}" in the catalogue: ${names}.`);
  }
  if (!acceptLicence) await requireAssent(model, context);
  const file = await fetched(model, context);
  const { folder, version } = await installVersion(context, model.operation, (draft) =>
    written(model, file, draft),
  );
  await rm(file, { force: true });
  context.progress.end();
  return {
    json: { name, folder, version, sha256: model.file.sha256 },
    text: `Installed: ${folder} (${model.title}, ${model.licence.id}). A running service takes it over by itself.`,
  };
}

function listed(models: readonly UpstreamModel[]): ModelsAnswer {
  const rows = models.map(({ name, title, operation, licence, file }) => [
    name,
    operation,
    licence.id,
    licence.permissive ? '' : 'asks for assent',
    file.bytes === null ? '–' : (file.bytes / 1e6).toFixed(1),
    title,
  ]);
  rows.push([ESRGAN_SLIM, 'upscale', 'MIT', '', '–', 'UpscalerJS ESRGAN Slim, from its npm package']);
  return { json: models, text: textTable([['name', 'operation', 'licence', '', 'MB', 'model'], ...rows]) };
}

/** A person must agree to a licence that restricts the use. @throws ModelsError */
async function requireAssent({ title, licence }: UpstreamModel, { isJson }: ModelsContext): Promise<void> {
  if (licence.permissive) return;
  const text = `${title} is published under ${licence.id} (${licence.address}), which does not allow every use.`;
  if (!process.stdin.isTTY || isJson)
    throw new ModelsError(`${text} Read it, and run the command again with --accept-licence.`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(`${text}\nDo you agree to it? Type yes: `);
  prompt.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new ModelsError('Not agreed; nothing was fetched.');
}

/** The file with the right hash; what was cut off before is gone on with. @throws ModelsError for a wrong hash */
async function fetched(
  { name, file }: UpstreamModel,
  { config, progress, signal }: ModelsContext,
): Promise<string> {
  const path = join(config.modelsDir, '.pulling', `${name}-${file.sha256.slice(0, 16)}.part`);
  progress.begin(file.bytes ?? 1, name);
  const onProgress = (done: number, total: number | null): void =>
    progress.to(
      file.bytes === null ? 0 : done,
      `${name} ${megabytes(done)} of ${total === null ? '?' : megabytes(total)} MB`,
    );
  await download({ address: file.address, path, bytes: file.bytes, signal, onProgress });
  const actual = await hashModelFile(path);
  if (actual === file.sha256) return path;
  await rm(path, { force: true });
  throw new ModelsError(
    `${file.address} has sha256 ${actual}, the catalogue says ${file.sha256}: it is another file, or it was changed on its way. It was deleted.`,
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Fills a version folder: the file, the manifest with what only the file tells, and where the licence stands. */
async function written(model: UpstreamModel, path: string, folder: string): Promise<void> {
  const { file, operation, licence, title } = model;
  await copyFile(path, join(folder, file.name));
  const { inputs, outputs } = await readModelHead(path);
  const stages = Object.entries(model.manifest['stages'] as Record<string, Json>).map(([name, stage]) => [
    name,
    stage['kind'] === 'matte' ? stage : filled(stage, file, inputs[0]?.name, outputs[0]?.name),
  ]);
  const manifest = {
    $schema: '../../manifest.schema.json',
    ...model.manifest,
    operation,
    stages: Object.fromEntries(stages) as Json,
  };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'LICENSE'), `${title}\nLicence: ${licence.id}\n${licence.address}\n`);
}

function filled(
  stage: Json,
  { name: fileName, sha256 }: UpstreamModel['file'],
  inputName: string | undefined,
  outputName: string | undefined,
): Json {
  const { input, output } = stage;
  return {
    ...stage,
    file: fileName,
    sha256,
    ...(input === undefined ? {} : { input: { name: inputName, ...(input as Json) } }),
    ...(output === undefined ? {} : { output: { name: outputName, ...(output as Json) } }),
  };
}
