import { expect } from 'vitest';
import { checkVersion } from '../../../src/models/check/check-version.js';
import type { VersionVerdict } from '../../../src/models/check/verdict.js';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { type TinyModel, tinyModel, writeVersion } from '../../../src/models/testing/tiny-models.js';
import { type ModelsDir, temporaryModels } from './models-dir.js';

/** The axes of a picture of any size in any batch. */
export const FREE = ['N', 3, 'H', 'W'] as const;
/** The manifest's description of the input of `tinyModel`. */
export const INPUT = {
  name: 'x',
  layout: 'NCHW',
  dtype: 'float32',
  channels: 'RGB',
  range: [0, 1],
  size: { mode: 'any' },
};
/** The manifest's description of its output. */
export const OUTPUT = {
  name: 'y',
  layout: 'NCHW',
  dtype: 'float32',
  meaning: 'image',
  channels: 'RGB',
  range: [0, 1],
};
const STAGE = { kind: 'render', file: 'm.onnx', tile: 64, halo: 4, scale: 1, input: INPUT, output: OUTPUT };

/** A graph that changes nothing. */
export const same = (_: GraphWriter, x: Value): Value => x;

type Fields = Readonly<Record<string, unknown>>;

/** Versions of an operation `denoise` with one stage `clean` each, to be checked by `checkVersion`. */
export class DenoiseVersions {
  private constructor(
    readonly models: ModelsDir,
    /** The number of the version that was created last. */
    public version: number,
  ) {}

  static async open(): Promise<DenoiseVersions> {
    return new DenoiseVersions(await temporaryModels(), 0);
  }

  /** Creates a version with a tiny model and the next number. @returns its folder */
  make(model: TinyModel | Uint8Array, changes: Fields = {}, manifest: Fields = {}): Promise<string> {
    const file = model instanceof Uint8Array ? model : tinyModel(model);
    return this.write({ 'm.onnx': file }, changes, manifest);
  }

  /** Creates a version with several files, including `m.onnx`. @returns its folder */
  write(
    files: Readonly<Record<string, Uint8Array>>,
    changes: Fields,
    manifest: Fields = {},
  ): Promise<string> {
    return writeVersion({
      modelsDir: this.models.path,
      operation: 'denoise',
      version: (this.version += 1),
      files,
      stages: { clean: { ...STAGE, ...changes } },
      manifest,
    });
  }

  remove(): Promise<void> {
    return this.models.remove();
  }
}

/** Why a version was refused, or that it was accepted. */
export function reasonOf(verdict: VersionVerdict): string {
  return verdict.ok ? 'it was accepted' : verdict.refusal.message;
}

/** The message that refuses a version. */
export async function refusal(
  folder: string,
  options: Parameters<typeof checkVersion>[1] = {},
): Promise<string> {
  const message = reasonOf(await checkVersion(folder, options));
  // One sentence that starts with the version.
  expect(message).toMatch(/^denoise\/\d+ is not served: [^\n]+\.$/);
  return message;
}
