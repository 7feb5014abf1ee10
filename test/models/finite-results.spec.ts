import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeviceModel } from '../../src/inference/device/stages/device-model.js';
import { LoadedStage } from '../../src/inference/device/stages/loaded-stage.js';
import { ReusableBuffers } from '../../src/inference/device/stages/reusable-buffers.js';
import { StageRunner } from '../../src/inference/device/stages/stage-runner.js';
import type { Feed } from '../../src/inference/device/testing/watched-engine.js';
import { WatchedEngine } from '../../src/inference/device/testing/watched-engine.js';
import { OUT_OF_MEMORY } from '../../src/inference/device/testing/watched-stage.js';
import type { Engine } from '../../src/inference/engines/engine.js';
import { startTensorflow } from '../../src/inference/engines/engines.js';
import { OnnxEngine } from '../../src/inference/engines/onnx-engine.js';
import { type NamedTensors, uint8Tensor } from '../../src/inference/tensor.js';
import { GraphWriter, type Value } from '../../src/models/compose/graph-writer.js';
import { cast, toBytes } from '../../src/models/compose/operators.js';
import type { RenderStageRef } from '../../src/models/manifest/model-route.js';
import { readVersion } from '../../src/models/repository/read-version.js';
import { tinyModel, type TinyVersion, writeVersion } from '../../src/models/testing/tiny-models.js';
import { type ModelsDir, temporaryModels } from '../support/models/models-dir.js';
import { layersFiles, writeTensorflowVersion } from '../support/models/tensorflow-models.js';

const CPU = { provider: 'cpu', threads: 1, isGuess: false, precision: 'float32' } as const;
const STAGE = { kind: 'render', tile: 32, halo: 0, scale: 1, maxBatch: 4 } as const;

const PIXELS = { layout: 'NCHW', dtype: 'float32', channels: 'RGB', range: [0, 255] } as const;
const ADAPTER = {
  input: { name: 'x', ...PIXELS, size: { mode: 'any' } },
  output: { name: 'y', ...PIXELS, meaning: 'image' },
} as const;

const NOT_FINITE = { ok: false, message: 'its result is not finite: it contains NaN or an infinity' };
const FINE = { ok: true, tensors: { image: expect.anything() } };

/** Returns its input, or NaN where that is brighter than 200. */
function fragile(g: GraphWriter, x: Value): Value {
  const root = g.op('Sqrt', [g.op('Sub', [g.constant(200), x])]);
  return g.op('Add', [x, g.op('Mul', [root, g.constant(0)])]);
}

/** A file that takes and returns bytes. */
function ownGraph(): Uint8Array {
  const g = new GraphWriter(17, '');
  const image = g.input('image', 'uint8', ['N', 'H', 'W', 'C']);
  g.output(toBytes(g, fragile(g, cast(g, image, 'float32'))), 'result', 'uint8', ['N', 'H', 'W', 'C']);
  return g.model(8);
}

/** A layers model whose sum exceeds single precision for bright pixels. */
function overflowing(): ReturnType<typeof layersFiles> {
  return layersFiles((tfl) => {
    const input = tfl.input({ shape: [null, null, 3] });
    const kernelInitializer = tfl.initializers.constant({ value: 1.2e38 });
    const layer = tfl.layers.conv2d({ filters: 3, kernelSize: 1, kernelInitializer });
    return tfl.model({ inputs: input, outputs: layer.apply(input) as typeof input });
  });
}

/** One image of this brightness, except for its last pixel. */
const gray = (value: number, last = value): NamedTensors => {
  const pixels = new Uint8Array(32 * 32 * 3).fill(value);
  pixels.fill(last, -3);
  return { image: uint8Tensor([1, 32, 32, 3], pixels) };
};
const pictures = [gray(0), gray(120, 255), gray(120)];

describe('a render whose result is not finite', () => {
  let models: ModelsDir;
  const refs = {} as Record<'own' | 'adapted' | 'tensorflow', RenderStageRef>;

  beforeAll(async () => {
    models = await temporaryModels();
    const own = { 'm.onnx': ownGraph() };
    const adapted = { 'm.onnx': tinyModel({ dims: ['N', 3, 'H', 'W'], body: fragile }) };
    refs.own = await refOf({ operation: 'own', files: own, stages: { s: { ...STAGE, file: 'm.onnx' } } });
    refs.adapted = await refOf({
      operation: 'adapted',
      files: adapted,
      stages: { s: { ...STAGE, ...ADAPTER, file: 'm.onnx' } },
    });
    const place = { modelsDir: models.path, operation: 'layers', stages: { s: STAGE } };
    const folder = await writeTensorflowVersion(await overflowing(), place);
    refs.tensorflow = (await readVersion(folder)).routes.low.render;
  });
  afterAll(() => models?.remove());

  async function refOf(version: Omit<TinyVersion, 'modelsDir'>): Promise<RenderStageRef> {
    const folder = await writeVersion({ ...version, modelsDir: models.path });
    return (await readVersion(folder)).routes.low.render;
  }

  it.each<[keyof typeof refs, () => Engine | Promise<Engine>]>([
    ['own', () => new OnnxEngine(CPU)],
    ['adapted', () => new OnnxEngine(CPU)],
    ['tensorflow', () => startTensorflow(CPU)],
  ])('fails its image, and only that one of a batch: %s', async (name, engine) => {
    const ref = refs[name];
    const model = await DeviceModel.load(await engine(), [{ ref, mapSets: [{}] }]);
    const items = pictures.map((tensors) => ({ tensors, analysis: null }));
    expect(await model.run(ref.id, items)).toEqual([FINE, NOT_FINITE, FINE]);
    await model.release();
  });

  it('is found in a batch that is written into a reused buffer', async () => {
    const stage = { ref: refs.own, mapSets: [{}] };
    const loaded = await LoadedStage.load(new OnnxEngine(CPU), stage, Infinity, new ReusableBuffers());
    const runner = new StageRunner(loaded);
    const [dark, broken, fine] = pictures as [NamedTensors, NamedTensors, NamedTensors];
    expect(await runner.run([dark, fine])).toEqual([FINE, FINE]);
    expect(await runner.run([fine, broken])).toEqual([FINE, NOT_FINITE]);
    const [first] = await runner.run([fine, dark]);
    expect(first).toMatchObject({ ok: true, tensors: { image: fine['image'] } });
    await loaded.release();
  });

  it('is found in one piece of a divided tile, and later tiles are still divided', async () => {
    const ref: RenderStageRef = { ...refs.own, tile: 32, maxBatch: 1 };
    const whole = ({ edge }: Feed): string | undefined => (edge === 32 ? OUT_OF_MEMORY : undefined);
    const loaded = await LoadedStage.load(new WatchedEngine(whole), { ref, mapSets: [{}] });
    const runner = new StageRunner(loaded);
    expect(await runner.run([pictures[1]!])).toEqual([NOT_FINITE]);
    expect(await runner.run([pictures[2]!])).toEqual([FINE]);
    await loaded.release();
  });

  it('is not found in the runs of zeros that warm a stage', async () => {
    const g = new GraphWriter(17, '');
    const image = g.input('image', 'uint8', ['N', 'H', 'W', 'C']);
    const root = g.op('Log', [cast(g, image, 'float32')]);
    g.output(toBytes(g, root), 'result', 'uint8', ['N', 'H', 'W', 'C']);
    const files = { 'm.onnx': g.model(8) };
    const stages = { s: { ...STAGE, file: 'm.onnx' } };
    const ref = await refOf({ operation: 'logarithm', files, stages });
    const model = await DeviceModel.load(new OnnxEngine(CPU), [{ ref, mapSets: [{}] }]);
    await model.warm(ref.id, 'every shape');
    expect(await model.run(ref.id, [{ tensors: gray(1), analysis: null }])).toEqual([FINE]);
    await model.release();
  });
});
