import { createHash } from 'node:crypto';
import { cp, readFile, realpath, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RenderStageRef } from '../../models/manifest/model-route.js';
import type { ModelVersion } from '../../models/repository/model-version.js';
import { parseManifest } from '../../models/repository/parse-manifest.js';
import { LEVELS } from '../../kernel/operations.js';
import { installedNotes, installedText } from './add/installed-notes.js';
import { installVersion } from './install-version.js';
import {
  type ModelsAnswer,
  type ModelsCommand,
  type ModelsContext,
  ModelsError,
  requireOwnFolder,
} from './models-command.js';
import { faultOf } from './quantize/fidelity.js';
import { type QuantizedStage, quantizeStage } from './quantize/quantize-stage.js';
import { openVersion, versionName, versionText } from './version-name.js';

interface Quantized extends QuantizedStage {
  /** The stage's name in the manifest. */
  readonly stage: string;
  /** The new file, in the folder of the single-precision file. */
  readonly file: string;
}

/**
 * `models quantize upscale@2`: adds files with 8-bit weights and activations to the networks of a foreign version, and
 * installs the result as the next version. Versions are immutable, so the given version stays unchanged.
 */
export function quantizeModel(text: string): ModelsCommand {
  const name = versionName(text);
  return async (context) => {
    requireOwnFolder(context.config);
    return quantized(context, await openVersion(context.config.modelsDir, name), versionText(name));
  };
}

async function quantized(context: ModelsContext, version: ModelVersion, name: string): Promise<ModelsAnswer> {
  const { progress } = context;
  const stages = foreignStages(version);
  if (stages.length === 0)
    throw new ModelsError(
      `${name} has no stage that renders with a third-party ONNX file and lacks 8-bit files. Only those gain enough to be quantized.`,
    );
  progress.begin(stages.length * 2 + 1, 'reading the files');
  let step = 0;
  const made: Quantized[] = [];
  for (const stage of stages) {
    const done = await quantizeStage(stage, stage.adapter!, (doing) =>
      progress.to((step += 1), `${doing} ${stage.id}`),
    );
    const fault = faultOf(done.fidelity);
    if (fault !== null)
      throw new ModelsError(
        `The stage ${stage.id} is not worth quantizing: ${fault}. Nothing was installed.`,
      );
    const file = basename(stage.path).replace(/(\.onnx)?$/, '.int8.onnx');
    made.push({ ...done, stage: stage.id.split('/').at(-1)!, file });
  }
  const { folder, version: number } = await installVersion(context, version.manifest.operation, (draft) =>
    written(draft, version, made),
  );
  progress.end();
  const notes = [...replacedNote(version.version, number), ...(await installedNotes(folder))];
  const rows = made.map(({ stage, file, convolutions, faster, fidelity: { lostDb, alikeDb } }) => ({
    stage,
    file,
    convolutions,
    faster: Math.round(faster * 100) / 100,
    lostDb,
    alikeDb,
  }));
  const lines = rows.map(
    ({ stage, convolutions, faster, lostDb, alikeDb }) =>
      `  ${stage}: ${convolutions} convolutions, ${faster.toFixed(2)} × as fast here, ${lostDb === null ? `${alikeDb.toFixed(1)} dB near single precision` : `${lostDb.toFixed(3)} dB lost`}`,
  );
  return {
    json: { folder, version: number, stages: rows, notes },
    text: installedText(folder, notes, [...lines, 'CPUs that are faster with it use it (PRECISION=auto).']),
  };
}

/** A version in between serves no longer, although nobody wanted to replace it. */
function replacedNote(source: number, added: number): readonly string[] {
  return added === source + 1
    ? []
    : [`version: ${added} is made of ${source}, and also replaces the versions in between.`];
}

/** ONNX render stages that wrap a foreign graph and have no 8-bit file yet, each once. */
function foreignStages({ routes }: ModelVersion): readonly RenderStageRef[] {
  const stages = LEVELS.map((level) => routes[level].render).filter(
    ({ adapter, engine, int8, remote }) =>
      adapter !== undefined && engine === 'onnx' && int8 === undefined && remote === undefined,
  );
  return [...new Map(stages.map((stage) => [stage.id, stage])).values()];
}

async function written(draft: string, { folder }: ModelVersion, made: readonly Quantized[]): Promise<void> {
  // Versions may be links, and contain links to files below their folder.
  await cp(await realpath(folder), draft, { recursive: true, dereference: true });
  const path = join(draft, 'manifest.json');
  const manifest = parseManifest(await readFile(path, 'utf8')) as {
    stages: Record<string, Record<string, unknown>>;
  };
  for (const { stage, file, bytes } of made) {
    await writeFile(join(draft, file), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    manifest.stages[stage]!['int8'] = { file, sha256 };
  }
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
}
