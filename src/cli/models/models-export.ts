import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { loadCatalog } from '../../models/repository/load-catalog.js';
import { type ExportedModel, exportVersion, writeRemoteVersion } from './export/export-version.js';
import { type ModelsAnswer, type ModelsCommand, type ModelsContext, ModelsError } from './models-command.js';

export interface ExportChoices {
  /** Default: every operation. */
  readonly operation?: string;
  readonly fp16?: true;
  /** Instances of each model on each device. */
  readonly instances: number;
  /** Where to write version folders for workers that use the server. Default: nowhere. */
  readonly manifests?: string;
}

/** `models export triton <dir>`: writes an inference server's model repository from the highest valid versions. */
export function exportModels(dir: string, choices: ExportChoices): ModelsCommand {
  return (context) => exported(context, resolve(dir), choices);
}

async function exported(
  { config }: ModelsContext,
  dir: string,
  { operation: only, fp16, instances, manifests }: ExportChoices,
): Promise<ModelsAnswer> {
  if (manifests !== undefined && (await isSameFolder(manifests, config.modelsDir)))
    throw new ModelsError(
      `--manifests ${manifests} is MODELS_DIR, whose manifests would be overwritten. Name another folder.`,
    );
  const models: ExportedModel[] = [];
  const folders: string[] = [];
  const skipped: string[] = [];
  const versions = (await loadCatalog(config.modelsDir)).serving();
  for (const version of versions.filter(
    ({ manifest }) => manifest.operation === (only ?? manifest.operation),
  )) {
    const { operation, engine } = version.manifest;
    if (engine !== 'onnx') {
      skipped.push(`${operation}/${version.version} is a TensorFlow.js model and is not exported.`);
      continue;
    }
    const precision = fp16 === true ? 'fp16' : 'fp32';
    models.push(...(await exportVersion(version, { dir, precision, instances })));
    if (manifests !== undefined) folders.push(await writeRemoteVersion(version, resolve(manifests)));
  }
  if (models.length === 0) throw new ModelsError(`There is nothing to export in ${config.modelsDir}.`);
  const lines = [
    ...models.map(({ model, version }) => `${model}/${version}`),
    ...folders.map((folder) => `${relative('.', folder)}: runs on the server in TRITON_URL`),
    ...skipped,
  ];
  return { json: { dir, models, folders, skipped }, text: lines.join('\n') };
}

async function isSameFolder(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => realpath(path).catch(() => resolve(path))));
  return one === other;
}
