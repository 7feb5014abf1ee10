import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MODEL_FILE_LIMITS, ModelFile } from '../../../models/files/model-file.js';
import { UnreadableModelFile } from '../../../models/files/unreadable-model-file.js';
import { isFileName } from '../../../models/onnx/external-locations.js';
import { ModelsError } from '../models-command.js';
import type { Ports } from './ports.js';

/** A TensorFlow.js model to add, before anything runs it. */
export interface TensorflowSource {
  /** Absolute path of `model.json`. */
  readonly path: string;
  /** SHA-256 of `model.json`, lowercase hex. */
  readonly sha256: string;
  /** SHA-256 of each weight file in the same folder, by name. */
  readonly weights: Readonly<Record<string, string>>;
  readonly ports: Ports;
}

type Json = Readonly<Record<string, unknown>>;
const MODEL_JSON = 'model.json';
const MAX_JSON_BYTES = 256 * 2 ** 20;
/** Maximum nesting depth. Real topologies are less deep. */
const MAX_DEPTH = 40;

/**
 * Reads the folder of a TensorFlow.js model, or its `model.json`. Null for any other path.
 * @throws ModelsError
 */
export async function readTensorflowSource(path: string): Promise<TensorflowSource | null> {
  const given = await realpath(path).catch(() => null);
  if (given === null) return null;
  const isFolder = (await stat(given)).isDirectory();
  const file = isFolder ? join(given, MODEL_JSON) : given;
  if (!isFolder && !file.endsWith('.json')) return null;
  if (!existsSync(file))
    throw new ModelsError(
      `The file ${given} is a folder, not a regular file; a folder must have the model.json of a TensorFlow.js model.`,
    );
  const bytes = await contentOf(file, MAX_JSON_BYTES, (opened) => opened.bytes());
  const model = parsed(bytes);
  if (model === null || !('modelTopology' in model || 'weightsManifest' in model)) {
    const lack = model === null ? 'it is not a JSON object' : 'it has no modelTopology';
    throw new ModelsError(`${file} is not the model.json of a TensorFlow.js model: ${lack}.`);
  }
  const weights: Record<string, string> = {};
  for (const name of weightFiles(model)) {
    if (!isFileName(name))
      throw new ModelsError(
        `${file} names the weights ${JSON.stringify(name.slice(0, 100))}; they must lie beside it.`,
      );
    weights[name] = await contentOf(join(dirname(file), name), MODEL_FILE_LIMITS.weightsBytes, (opened) =>
      opened.sha256(),
    );
  }
  return {
    path: file,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    weights,
    ports: tensorflowPorts(model),
  };
}

async function contentOf<T>(
  path: string,
  maxBytes: number,
  read: (file: ModelFile) => Promise<T>,
): Promise<T> {
  return ModelFile.with(dirname(path), basename(path), { maxBytes }, read).catch((error: unknown) => {
    if (!(error instanceof UnreadableModelFile)) throw error;
    throw new ModelsError(`The file ${path} ${error.message}.`);
  });
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

/**
 * The engine passes float32 RGB in NHWC layout, regardless of the input's name.
 * @throws ModelsError for any other input
 */
function tensorflowPorts(model: Json): Ports {
  const dims = inputDims(model);
  const port = { name: 'image', layout: 'NHWC', dtype: 'float32' } as const;
  const value = { name: 'image', type: 'float32', dims };
  if (dims !== null && (dims.length !== 4 || dims[3] === 1))
    throw new ModelsError(
      `The model takes float32[${dims.join(',')}]; a TensorFlow.js model must take RGB pictures [N,H,W,3].`,
    );
  return { engine: 'tensorflow', value, input: port, output: { ...port, name: 'result' }, isGray: false };
}

/** The declared dimensions: `?` where a size is variable; null if none are declared. */
function inputDims({ modelTopology, signature }: Json): readonly (number | string)[] | null {
  const shapes = [
    ...found(signature, 'tensorShape'),
    ...found(modelTopology, 'batch_input_shape', 'batch_shape'),
  ];
  const placeholders = found(modelTopology, 'node')
    .flatMap((nodes) => (Array.isArray(nodes) ? (nodes as Json[]) : []))
    .filter(({ op }) => op === 'Placeholder')
    .flatMap((node) => found(node, 'shape'));
  for (const shape of [...shapes, ...placeholders]) {
    const list = Array.isArray(shape) ? shape : (shape as Json | null)?.['dim'];
    if (Array.isArray(list) && list.length > 0) return list.map(sizeOf);
  }
  return null;
}

function sizeOf(dim: unknown): number | string {
  const size = typeof dim === 'object' && dim !== null ? Number((dim as Json)['size']) : dim;
  return typeof size === 'number' && size > 0 ? size : '?';
}

/** Values of these keys anywhere in a document, outermost first. */
function found(document: unknown, ...keys: readonly string[]): readonly unknown[] {
  const values: unknown[] = [];
  let level: unknown[] = [document];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const entries = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.entries(value) : [],
    );
    values.push(...entries.filter(([key]) => keys.includes(key)).map(([, inner]) => inner as unknown));
    level = entries.map(([, inner]) => inner as unknown);
  }
  return values;
}
