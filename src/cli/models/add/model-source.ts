import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type ForeignModel, foreignModel } from '../../../models/compose/foreign-model.js';
import { MODEL_FILE_LIMITS, ModelFile } from '../../../models/files/model-file.js';
import { externalLocations, isFileName } from '../../../models/onnx/external-locations.js';
import { UnreadableModelFile } from '../../../models/files/unreadable-model-file.js';
import { ModelsError } from '../models-command.js';

const OF_PYTORCH = /\.(pt|pth|ckpt|safetensors)$/i;

/** A model file to add, before anything runs it. */
export interface ModelSource {
  readonly model: ForeignModel;
  /** Lowercase hex. */
  readonly sha256: string;
  /** SHA-256 of each weight file of the graph, by its name in the same folder. */
  readonly external: Readonly<Record<string, string>>;
}

/**
 * Reads a model file and hashes its weight files. The path may be a symbolic link, because the user typed it. Files
 * that the model refers to must be in the same folder.
 * @throws ModelsError
 */
export async function readModelSource(path: string): Promise<ModelSource> {
  const target = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    throw new ModelsError(`The file ${path} cannot be read (${error.code}).`);
  });
  const graph = await ModelFile.with(
    dirname(target),
    basename(target),
    { maxBytes: MODEL_FILE_LIMITS.graphBytes },
    async (file) => {
      const bytes = await file.bytes();
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { model: foreignModel(bytes), sha256, locations: await externalLocations(file) };
    },
  ).catch((error: unknown) => {
    if (error instanceof ModelsError) throw error;
    if (error instanceof UnreadableModelFile) throw new ModelsError(`The file ${path} ${error.message}.`);
    const advice = OF_PYTORCH.test(path)
      ? ' Export it to ONNX first, for example with torch.onnx.export.'
      : '';
    throw new ModelsError(`${path}: ${(error as Error).message}.${advice}`);
  });
  const { locations, ...source } = graph;
  return { ...source, external: await externalHashes(path, locations) };
}

async function externalHashes(
  path: string,
  locations: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const folder = dirname(resolve(path));
  const hashes: Record<string, string> = {};
  for (const name of locations) {
    const what = `The file ${path} keeps weights in ${JSON.stringify(name.slice(0, 100))}`;
    if (!isFileName(name))
      throw new ModelsError(
        `${what}, which is not the name of a file in the same folder; export it with its weights beside it.`,
      );
    const options = { maxBytes: MODEL_FILE_LIMITS.weightsBytes };
    hashes[name] = await ModelFile.with(folder, name, options, (file) => file.sha256()).catch(
      (error: unknown) => {
        if (!(error instanceof UnreadableModelFile)) throw error;
        throw new ModelsError(`${what}: that file ${error.message}.`);
      },
    );
  }
  return hashes;
}
