import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { foreignModel } from '../../../models/compose/foreign-model.js';
import { MODEL_FILE_LIMITS, ModelFile } from '../../../models/files/model-file.js';
import { UnreadableModelFile } from '../../../models/files/unreadable-model-file.js';
import { externalLocations, isFileName, locationFault } from '../../../models/onnx/external-locations.js';
import { ModelsError } from '../models-command.js';
import { type AddedModel, contentOf, safeName } from './added-model.js';
import { fileFacts } from './file-facts.js';
import { portsOf } from './ports.js';
import { ModelProbe } from './probe-model.js';
import { requireLoadable } from './require-loadable.js';

const OF_PYTORCH = /\.(pt|pth|ckpt|safetensors)$/i;

/**
 * Reads an ONNX file and hashes its weight files. The path may be a symbolic link, because the user typed it. Files
 * that the model refers to must be in the same folder.
 * @throws ModelsError
 */
export async function onnxModel(path: string): Promise<AddedModel> {
  const target = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    throw new ModelsError(`The file ${path} cannot be read (${error.code}).`);
  });
  const { model, sha256, locations } = await ModelFile.with(
    dirname(target),
    basename(target),
    { maxBytes: MODEL_FILE_LIMITS.graphBytes },
    async (file) => {
      const bytes = await file.bytes();
      const hash = createHash('sha256').update(bytes).digest('hex');
      return { model: foreignModel(bytes), sha256: hash, locations: await externalLocations(file) };
    },
  ).catch((error: unknown) => {
    if (error instanceof UnreadableModelFile) throw new ModelsError(`The file ${path} ${error.message}.`);
    const advice = OF_PYTORCH.test(path)
      ? ' Export it to ONNX first, for example with torch.onnx.export.'
      : '';
    throw new ModelsError(`${path}: ${(error as Error).message}.${advice}`);
  });
  const folder = dirname(resolve(path));
  const name = safeName(basename(path, extname(path)));
  return {
    name,
    folder,
    path,
    graph: { file: `${name}${extname(path)}`, sha256 },
    external: await externalHashes(path, folder, locations),
    leftOut: model.head.outputs.slice(1),
    known: await fileFacts(resolve(path), sha256, model.head.metadata),
    open: async () => {
      const ports = portsOf(model.head);
      return ModelProbe.open(model, folder, ports).catch(async (error: unknown) => {
        await requireLoadable(path);
        throw error;
      });
    },
  };
}

async function externalHashes(
  path: string,
  folder: string,
  locations: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {};
  for (const name of locations) {
    if (!isFileName(name)) throw new ModelsError(`The file ${path} ${locationFault(name)}.`);
    const what = `The file ${path} keeps weights in ${JSON.stringify(name)}`;
    hashes[name] = await contentOf(
      `${what}: that file`,
      folder,
      name,
      MODEL_FILE_LIMITS.weightsBytes,
      (file) => file.sha256(),
    );
  }
  return hashes;
}
