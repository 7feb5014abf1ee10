import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deviceStages } from '../../../inference/device-stages.js';
import { LEVELS } from '../../../kernel/operations.js';
import { graphOf, type Precision } from '../../../models/compose/compose-stage.js';
import { readModelFile } from '../../../models/files/model-file.js';
import type { StageRef } from '../../../models/manifest/model-route.js';
import { modelHead } from '../../../models/onnx/model-head.js';
import type { ModelVersion } from '../../../models/repository/model-version.js';
import { ModelsError } from '../models-command.js';
import { remoteManifest, remoteName } from './remote-manifest.js';
import { tritonConfig } from './triton-config.js';

export interface ExportOptions {
  /** The server's model repository. */
  readonly dir: string;
  readonly precision: Precision;
  /** Instances of each model on each device. */
  readonly instances: number;
}

/** One model that was written. */
export interface ExportedModel {
  readonly model: string;
  readonly version: number;
}

/** Writes the graphs of a version into a Triton model repository. @throws ModelsError */
export async function exportVersion(
  version: ModelVersion,
  options: ExportOptions,
): Promise<readonly ExportedModel[]> {
  const routes = LEVELS.map((level) => version.routes[level]);
  const exported: ExportedModel[] = [];
  for (const { ref } of deviceStages({ routes: () => routes })) {
    const isMatte = ref.kind === 'render' && ref.matte !== undefined;
    if (ref.remote === undefined && !isMatte) exported.push(await exportStage(version, ref, options));
  }
  return exported;
}

/** Writes the version's folder for a worker's MODELS_DIR. Its stages run on the server. */
export async function writeRemoteVersion(version: ModelVersion, modelsDir: string): Promise<string> {
  const { manifest, folder } = version;
  const target = join(modelsDir, manifest.operation, String(version.version));
  await mkdir(target, { recursive: true });
  for (const file of manifest.golden?.flatMap(({ before, after }) => [before, after]) ?? [])
    await cp(join(folder, file), join(target, file));
  const text = JSON.stringify(remoteManifest(manifest, version.version), null, 2);
  await writeFile(join(target, 'manifest.json'), `${text}\n`);
  return target;
}

async function exportStage(
  { manifest, version, folder }: ModelVersion,
  stage: StageRef,
  { dir, precision, instances }: ExportOptions,
): Promise<ExportedModel> {
  const stageName = stage.id.split('/').at(-1)!;
  const name = remoteName(manifest.operation, stageName);
  const source = await graphOf(stage, precision);
  const bytes = source.kind === 'bytes' ? source.bytes : await readModelFile(source.path);
  const target = join(dir, name);
  await writeConfig(join(target, 'config.pbtxt'), configOf(name, stage, bytes, instances));
  // Ensures that a server that polls its repository never sees an incomplete version.
  const draft = join(target, `.draft-${version}`);
  await mkdir(draft, { recursive: true });
  await writeFile(join(draft, 'model.onnx'), bytes);
  const { external = {} } = manifest.stages[stageName] as { external?: Readonly<Record<string, string>> };
  for (const file of Object.keys(external)) await cp(join(folder, file), join(draft, file));
  await rm(join(target, String(version)), { recursive: true, force: true });
  await rename(draft, join(target, String(version)));
  return { model: name, version };
}

function configOf(name: string, stage: StageRef, bytes: Uint8Array, instances: number): string {
  try {
    return tritonConfig({ name, stage, head: modelHead(bytes), instances });
  } catch (error) {
    throw new ModelsError(`${name} cannot be exported: ${(error as Error).message}.`);
  }
}

/** All versions of a model share one configuration. @throws ModelsError when a different configuration exists */
async function writeConfig(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (before !== undefined && before !== text)
    throw new ModelsError(`${path} is another configuration. Remove it, or export to an empty folder.`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
