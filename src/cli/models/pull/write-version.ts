import { copyFile, link, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readModelHead } from '../../../models/onnx/model-head.js';
import type { FetchedModel } from './fetch-model.js';
import type { UpstreamModel } from './upstream-catalog.js';

type Json = Record<string, unknown>;

/** Fills a version folder: the file, the manifest with the facts from the file, and the location of the license. */
export async function writeVersion(
  model: UpstreamModel,
  fetched: FetchedModel,
  folder: string,
): Promise<void> {
  const { file, operation, license, title } = model;
  const path = join(folder, file.name);
  // A link takes no space on the disk, but not every file system has links.
  await link(fetched.path, path).catch(() => copyFile(fetched.path, path));
  const { inputs, outputs } = await readModelHead(fetched.path);
  const told = { file: file.name, sha256: fetched.sha256 };
  const stages = Object.entries(model.manifest!['stages'] as Record<string, Json>).map(([name, stage]) => [
    name,
    stage['kind'] === 'matte' ? stage : filled(stage, told, inputs[0]?.name, outputs[0]?.name),
  ]);
  const manifest = {
    $schema: '../../manifest.schema.json',
    ...model.manifest,
    operation,
    stages: Object.fromEntries(stages) as Json,
  };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'LICENSE'), `${title}\nLicense: ${license.id}\n${license.address}\n`);
}

function filled(
  stage: Json,
  told: Json,
  inputName: string | undefined,
  outputName: string | undefined,
): Json {
  const { input, output } = stage;
  return {
    ...stage,
    ...told,
    ...(input === undefined ? {} : { input: { name: inputName, ...(input as Json) } }),
    ...(output === undefined ? {} : { output: { name: outputName, ...(output as Json) } }),
  };
}
