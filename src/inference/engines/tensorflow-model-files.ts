import { dirname, join } from 'node:path';
import type { io } from '@tensorflow/tfjs-core';
import { readModelFile } from '../../models/files/model-file.js';
import type { StageRef } from '../../models/manifest/model-route.js';

export type TensorflowFormat = 'layers-model' | 'graph-model';

export interface TensorflowModelFiles {
  readonly format: TensorflowFormat;
  readonly artifacts: io.ModelArtifacts;
}

/**
 * Reads a `model.json` with its weight files. The manifest must list all of them with their hashes.
 * @throws Error with what is missing
 */
export async function readModelFiles({ path, tensorflow }: StageRef): Promise<TensorflowModelFiles> {
  const model = JSON.parse((await readModelFile(path)).toString('utf8')) as io.ModelJSON;
  const format = model.format;
  if (format !== 'layers-model' && format !== 'graph-model') {
    throw new Error(
      `its format is ${String(format)}; convert it with tensorflowjs_converter to tfjs_layers_model or tfjs_graph_model`,
    );
  }
  const files = (model.weightsManifest ?? []).flatMap(({ paths }) => paths);
  const unlisted = files.filter((file) => !Object.hasOwn(tensorflow?.weights ?? {}, file));
  if (unlisted.length > 0)
    throw new Error(`tensorflow.weights of the manifest does not list ${unlisted.join(', ')}`);
  const folder = dirname(path);
  const parts = await Promise.all(files.map((file) => readModelFile(join(folder, file))));
  const bytes = Buffer.concat(parts);
  return {
    format,
    artifacts: {
      modelTopology: model.modelTopology,
      weightSpecs: (model.weightsManifest ?? []).flatMap(({ weights }) => weights),
      weightData: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
      format,
      ...(model.signature && { signature: model.signature }),
    },
  };
}
