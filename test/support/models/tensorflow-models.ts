import { createHash } from 'node:crypto';
import { io } from '@tensorflow/tfjs-core';
import { startTensorflow } from '../../../src/inference/engines/tensorflow-runtime.js';
import { writeVersion, type TinyVersion } from '../../../src/models/testing/tiny-models.js';

type Layers = typeof import('@tensorflow/tfjs-layers');
type LayersModel = import('@tensorflow/tfjs-layers').LayersModel;

/** A TensorFlow.js model as its two files. */
export interface TensorflowFiles {
  readonly model: Uint8Array;
  readonly weights: Uint8Array;
}

const WEIGHTS = 'weights.bin';

/** The files of a layers model that `build` creates. */
export async function layersFiles(build: (tfl: Layers) => LayersModel): Promise<TensorflowFiles> {
  await startTensorflow({ provider: 'cpu', threads: 1, isGuess: false });
  const model = build(await import('@tensorflow/tfjs-layers'));
  let saved: io.ModelArtifacts | undefined;
  await model.save(
    io.withSaveHandler(async (artifacts) => {
      saved = artifacts;
      return { modelArtifactsInfo: { dateSaved: new Date(0), modelTopologyType: 'JSON' } };
    }),
  );
  model.dispose();
  const { modelTopology, weightSpecs, weightData } = saved!;
  return filesOf('layers-model', modelTopology, weightSpecs!, weightData as ArrayBuffer);
}

/** A graph model with one input: it applies a binary operator to `value` and the image. */
export function graphFiles(op: 'Mul' | 'RealDiv', value: number): TensorflowFiles {
  const float = { dtype: { type: 'DT_FLOAT' } };
  const operands = op === 'Mul' ? ['image', 'value'] : ['value', 'image'];
  const node = [
    { name: 'image', op: 'Placeholder', attr: { ...float, shape: { shape: { unknownRank: true } } } },
    { name: 'value', op: 'Const', attr: { ...float, value: { tensor: { ...float, tensorShape: {} } } } },
    { name: 'result', op, input: operands, attr: { T: { type: 'DT_FLOAT' } } },
  ];
  const specs = [{ name: 'value', shape: [], dtype: 'float32' as const }];
  return filesOf('graph-model', { node, versions: {} }, specs, Float32Array.of(value).buffer);
}

function filesOf(
  format: string,
  modelTopology: unknown,
  weights: readonly io.WeightsManifestEntry[],
  data: ArrayBuffer,
): TensorflowFiles {
  const json = { format, modelTopology, weightsManifest: [{ paths: [WEIGHTS], weights }] };
  return { model: Buffer.from(JSON.stringify(json)), weights: new Uint8Array(data) };
}

/**
 * Writes a version in which every stage with a file uses this model. @returns its path
 * @param range of the model's values for bytes 0 to 255, both in and out
 */
export function writeTensorflowVersion(
  { model, weights }: TensorflowFiles,
  version: Omit<TinyVersion, 'files'>,
  range: readonly [number, number] = [0, 1],
): Promise<string> {
  const hash = createHash('sha256').update(weights).digest('hex');
  const given = { inputRange: range, weights: { [WEIGHTS]: hash } };
  const stages = Object.fromEntries(
    Object.entries(version.stages).map(([name, stage]) => {
      if (stage['kind'] === 'matte') return [name, stage];
      const tensorflow = stage['kind'] === 'analyse' ? given : { ...given, outputRange: range };
      return [name, { file: 'model.json', tensorflow, ...stage }];
    }),
  );
  const files = { 'model.json': model, [WEIGHTS]: weights };
  return writeVersion({ ...version, files, stages, manifest: { engine: 'tensorflow', ...version.manifest } });
}
