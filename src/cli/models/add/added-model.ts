import { ModelFile } from '../../../models/files/model-file.js';
import { UnreadableModelFile } from '../../../models/files/unreadable-model-file.js';
import type { ModelValue } from '../../../models/onnx/model-head.js';
import { ModelsError } from '../models-command.js';
import type { FileFacts } from './file-facts.js';
import type { Probe } from './probe.js';
import type { GraphFile } from './propose.js';

/** A model to add, in any supported format, before anything runs it. */
export interface AddedModel {
  /** The model's name, from its file. */
  readonly name: string;
  /** The folder that contains the model and its weights, and where a picture of the candidates may be written. */
  readonly folder: string;
  readonly path: string;
  readonly graph: GraphFile;
  /** Weight files outside of an ONNX graph, by name, with their hashes. */
  readonly external: Readonly<Record<string, string>>;
  /** Declared outputs besides the first. */
  readonly leftOut: readonly ModelValue[];
  readonly known: FileFacts | null;
  /** Opens the model. @throws ModelsError; anything that the runtime does not support is reported first */
  open(): Promise<Probe>;
}

/**
 * Reads a file of the model.
 * @param what begins the sentence that says why it cannot be read
 * @throws ModelsError
 */
export async function contentOf<T>(
  what: string,
  folder: string,
  name: string,
  maxBytes: number,
  read: (file: ModelFile) => Promise<T>,
): Promise<T> {
  return ModelFile.with(folder, name, { maxBytes }, read).catch((error: unknown) => {
    if (!(error instanceof UnreadableModelFile)) throw error;
    throw new ModelsError(`${what} ${error.message}.`);
  });
}

/** A name that a file of a version can have. */
export function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'model';
}
