import { copyFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { ModelValue } from '../../../models/onnx/model-head.js';
import type { FileFacts } from './file-facts.js';
import { fileFacts } from './file-facts.js';
import { type ModelSource, readModelSource } from './model-source.js';
import { portsOf } from './ports.js';
import type { Probe } from './probe.js';
import { ModelProbe } from './probe-model.js';
import type { GraphFile } from './propose.js';
import { requireLoadable } from './require-loadable.js';
import { readTensorflowSource, type TensorflowSource } from './tensorflow-source.js';
import { TensorflowProbe } from './tensorflow-probe.js';

/** A model to add, in any supported format. */
export interface AddedModel {
  /** The model's name, from its file. */
  readonly name: string;
  /** The folder that contains the model, and where a picture of the candidates may be written. */
  readonly folder: string;
  readonly graph: GraphFile;
  /** Weight files outside of an ONNX graph, by name, with their hashes. */
  readonly external: Readonly<Record<string, string>>;
  /** Declared outputs besides the first. */
  readonly leftOut: readonly ModelValue[];
  readonly known: FileFacts | null;
  /** Opens the model. @throws ModelsError; anything that the runtime does not support is reported first */
  open(): Promise<Probe>;
  /** Copies the model's files. @param draft the version's folder */
  copyTo(draft: string): Promise<void>;
}

/** @throws ModelsError when the path is neither an ONNX file nor a TensorFlow.js model */
export async function readAddedModel(path: string): Promise<AddedModel> {
  const tensorflow = await readTensorflowSource(path);
  return tensorflow === null ? onnxModel(path, await readModelSource(path)) : tensorflowModel(tensorflow);
}

async function onnxModel(path: string, { model, sha256, external }: ModelSource): Promise<AddedModel> {
  const name = safeName(basename(path, extname(path)));
  const file = `${name}${extname(path)}`;
  const folder = dirname(resolve(path));
  return {
    name,
    folder,
    graph: { file, sha256 },
    external,
    leftOut: model.head.outputs.slice(1),
    known: await fileFacts(resolve(path), sha256, model.head.metadata),
    open: async () => {
      const ports = portsOf(model.head);
      return ModelProbe.open(model, folder, ports).catch(async (error: unknown) => {
        await requireLoadable(path);
        throw error;
      });
    },
    copyTo: async (draft) => {
      await copyFile(path, join(draft, file));
      for (const beside of Object.keys(external)) await copyFile(join(folder, beside), join(draft, beside));
    },
  };
}

async function tensorflowModel(source: TensorflowSource): Promise<AddedModel> {
  const { path, sha256, weights } = source;
  const folder = dirname(path);
  const file = basename(path);
  return {
    name: safeName(basename(folder)),
    folder,
    graph: { file, sha256, weights },
    external: {},
    leftOut: [],
    known: null,
    open: () => TensorflowProbe.open(source),
    copyTo: async (draft) => {
      for (const each of [file, ...Object.keys(weights)])
        await copyFile(join(folder, each), join(draft, each));
    },
  };
}

function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'model';
}
