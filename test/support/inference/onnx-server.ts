import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OnnxEngine } from '../../../src/inference/engines/onnx-engine.js';
import type { TensorMetadata } from '../../../src/inference/engines/triton/model-metadata.js';
import { float32Tensor, type NamedTensors } from '../../../src/inference/tensor.js';
import { ProtocolServer, type ServedModel } from './protocol-server.js';

const TENSOR = /\{ name: "(?<name>[^"]+)" data_type: TYPE_(?<type>\w+) dims: \[ (?<dims>[^\]]+) \]/g;

/** Serves an exported model repository like Triton, in this process. */
export async function serveRepository(repository: string): Promise<ProtocolServer> {
  const engine = new OnnxEngine({ provider: 'cpu', threads: 1, isGuess: false });
  const models: Record<string, ServedModel> = {};
  for (const name of await readdir(repository)) {
    const folder = join(repository, name);
    const config = await readFile(join(folder, 'config.pbtxt'), 'utf8');
    const [head, outputs] = config.split('output [');
    const inputs = tensorsIn(head!);
    const metadata = { inputs, outputs: tensorsIn(outputs!) };
    const maxBatchSize = Number(/max_batch_size: (\d+)/.exec(config)![1]);
    const versions = (await readdir(folder)).filter((entry) => /^\d+$/.test(entry));
    for (const version of versions) {
      const graph = await engine.open({ kind: 'file', path: join(folder, version, 'model.onnx') });
      const run = (given: NamedTensors): Promise<NamedTensors> => graph.run(flattened(given));
      models[`${name}/${version}`] = { metadata, maxBatchSize, run };
    }
  }
  return ProtocolServer.start(models);
}

/** Adds the batch axis, which a configuration omits. */
function tensorsIn(text: string): TensorMetadata[] {
  return [...text.matchAll(TENSOR)].map(({ groups }) => ({
    name: groups!['name']!,
    datatype: groups!['type']!,
    shape: [-1, ...groups!['dims']!.split(',').map(Number)],
  }));
}

/** Applies `reshape` of the configuration: [N,1] becomes [N]. */
function flattened({ strength, ...others }: NamedTensors): NamedTensors {
  if (strength === undefined) return others;
  return { ...others, strength: float32Tensor([strength.dims[0]!], [...strength.data]) };
}
