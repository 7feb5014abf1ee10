import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MODEL_FILE_LIMITS } from '../../../models/files/model-file.js';
import { isFileName } from '../../../models/onnx/external-locations.js';
import { ModelsError } from '../models-command.js';
import { type AddedModel, contentOf, safeName } from './added-model.js';
import { TensorflowProbe } from './tensorflow-probe.js';

type Json = Readonly<Record<string, unknown>>;
const MODEL_JSON = 'model.json';
const MAX_JSON_BYTES = 256 * 2 ** 20;

/**
 * The TensorFlow.js model in a folder, or at the path of its `model.json`. Null for any other path.
 * @throws ModelsError
 */
export async function tensorflowModel(path: string): Promise<AddedModel | null> {
  const given = await realpath(path).catch(() => null);
  if (given === null) return null;
  const isFolder = (await stat(given)).isDirectory();
  const jsonPath = isFolder ? join(given, MODEL_JSON) : given;
  if (!isFolder && !jsonPath.endsWith('.json')) return null;
  if (!existsSync(jsonPath))
    throw new ModelsError(
      `The file ${given} is a folder, not a regular file; a folder must have the model.json of a TensorFlow.js model.`,
    );
  const [folder, file] = [dirname(jsonPath), basename(jsonPath)];
  const what = (name: string): string => `The file ${join(folder, name)}`;
  const bytes = await contentOf(what(file), folder, file, MAX_JSON_BYTES, (opened) => opened.bytes());
  const model = parsed(bytes);
  if (model === null || !('modelTopology' in model || 'weightsManifest' in model)) {
    const lack = model === null ? 'it is not a JSON object' : 'it has no modelTopology';
    throw new ModelsError(`${jsonPath} is not the model.json of a TensorFlow.js model: ${lack}.`);
  }
  const weights: Record<string, string> = {};
  for (const name of weightFiles(model)) {
    if (!isFileName(name))
      throw new ModelsError(
        `${jsonPath} names the weights ${JSON.stringify(name.slice(0, 100))}; they must lie beside it.`,
      );
    weights[name] = await contentOf(what(name), folder, name, MODEL_FILE_LIMITS.weightsBytes, (opened) =>
      opened.sha256(),
    );
  }
  return {
    name: safeName(basename(folder)),
    folder,
    path: jsonPath,
    graph: { file, sha256: createHash('sha256').update(bytes).digest('hex'), weights },
    external: {},
    leftOut: [],
    known: null,
    open: () => TensorflowProbe.open(jsonPath, weights),
  };
}

function parsed(bytes: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
}

function weightFiles(model: Json): readonly string[] {
  const groups = Array.isArray(model['weightsManifest']) ? (model['weightsManifest'] as Json[]) : [];
  return groups.flatMap(({ paths }) => (Array.isArray(paths) ? paths.map(String) : []));
}
