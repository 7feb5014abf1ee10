import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GraphWriter, type Value } from '../compose/graph-writer.js';
import type { ElementName } from '../onnx/fields.js';

const IR_VERSION = 8;

/** A foreign model with one input `x` and one output `y`, written for a test. */
export interface TinyModel {
  readonly opset?: number;
  readonly type?: ElementName;
  /** Shape of the input. A string is a dynamic axis. */
  readonly dims: readonly (number | string)[];
  readonly outputDims?: readonly (number | string)[] | null;
  readonly body: (g: GraphWriter, x: Value) => Value;
}

/** The bytes of an ONNX file. */
export function tinyModel({ opset = 17, type = 'float32', dims, outputDims, body }: TinyModel): Uint8Array {
  // Uses names that a composed graph also uses, so that a missing prefix causes an error.
  const g = new GraphWriter(opset, 'ours/');
  const x = g.input('x', type, dims);
  const y = body(g, x);
  g.output(y, 'y', type, outputDims === undefined ? dims : outputDims);
  return g.model(IR_VERSION);
}

/** Manifest fields that all tests share. */
export const MANIFEST_HEAD = {
  name: 'tiny',
  description: 'A model of a few nodes.',
  engine: 'onnx',
  license: 'Apache-2.0',
  source: 'written by the test',
  trainedOn: 'nothing',
} as const;

export interface TinyVersion {
  readonly modelsDir: string;
  readonly operation: string;
  readonly version?: number;
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Stages without their hashes. */
  readonly stages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly levels?: Readonly<Record<string, unknown>>;
  /** Fields to add to the manifest or to override in it. */
  readonly manifest?: Readonly<Record<string, unknown>>;
}

/** Writes a version folder with correct hashes. Default `levels`: all use the first render stage. @returns its path */
export async function writeVersion(given: TinyVersion): Promise<string> {
  const { modelsDir, operation, version = 1, files, stages } = given;
  const folder = join(modelsDir, operation, String(version));
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  const hashed = Object.fromEntries(
    Object.entries(stages).map(([name, stage]) => {
      const bytes = files[stage['file'] as string];
      const sha256 = bytes && createHash('sha256').update(bytes).digest('hex');
      return [name, Object.assign({ maxBatch: 2, maxDelayMs: 5 }, sha256 && { sha256 }, stage)];
    }),
  );
  const render = Object.keys(stages).find((name) => stages[name]!['kind'] !== 'analyse')!;
  const levels = given.levels ?? everyLevel({ strength: 1, render });
  const manifest = { ...MANIFEST_HEAD, operation, stages: hashed, levels, ...given.manifest };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
  return folder;
}

/** The same settings for the levels low, medium and high. */
export function everyLevel(level: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { low: level, medium: level, high: level };
}
