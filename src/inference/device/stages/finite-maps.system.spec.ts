import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GraphWriter } from '../../../models/compose/graph-writer.js';
import { cast } from '../../../models/compose/operators.js';
import type { AnalyseStageRef } from '../../../models/manifest/model-route.js';
import { loadCatalog } from '../../../models/repository/load-catalog.js';
import { OnnxEngine } from '../../engines/onnx-engine.js';
import { uint8Tensor } from '../../tensor.js';
import type { DeviceItem } from '../device-port.js';
import { DeviceModel } from './device-model.js';
import { nonFiniteOutput } from './finite-maps.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../../../models'));
const SIZE = 8;

/** An image of one color. */
const gray = (value: number, analysis: number): DeviceItem => ({
  tensors: { image: uint8Tensor([1, SIZE, SIZE, 3], new Uint8Array(SIZE * SIZE * 3).fill(value)) },
  analysis,
});

/** Returns log(brightest − 1): NaN for black, −∞ for 1. */
function logarithm(): Uint8Array {
  const g = new GraphWriter(17);
  const image = cast(g, g.input('image', 'uint8', ['N', SIZE, SIZE, 3]), 'float32');
  const brightest = g.op('ReduceMax', [image], { axes: [1, 2, 3] });
  g.output(g.op('Log', [g.op('Sub', [brightest, g.constant(1)])]), 'light', 'float32', ['N', 1, 1, 1]);
  return g.model(8);
}

describe('an analysis that is not finite', () => {
  let folder: string;
  let ref: AnalyseStageRef;
  let model: DeviceModel;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ies-finite-'));
    const path = join(folder, 'logarithm.onnx');
    await writeFile(path, logarithm());
    const { analyse } = catalog.route('auto_enhance', 'medium')!;
    ref = { ...analyse!, path, size: SIZE, outputs: { light: [1, 1, 1] } };
    const engine = new OnnxEngine({ provider: 'cpu', threads: 1, isGuess: false, precision: 'float32' });
    model = await DeviceModel.load(engine, [{ ref, mapSets: [{}] }]);
  });
  afterAll(async () => {
    await model?.release();
    await rm(folder, { recursive: true, force: true });
  });

  it('fails its image, and only that one of a batch', async () => {
    const failed = {
      ok: false,
      message: 'its output light is not finite: it contains NaN or an infinity',
    };
    const outcomes = await model.run(ref.id, [gray(0, 1), gray(200, 2), gray(1, 3)]);
    expect(outcomes).toEqual([failed, { ok: true, tensors: {} }, failed]);
  });
});

describe('nonFiniteOutput', () => {
  const map = (...values: number[]) => ({
    type: 'float32' as const,
    dims: [1, values.length],
    data: Float32Array.from(values),
  });

  it.each([NaN, Infinity, -Infinity])('names the output with %d', (value) => {
    expect(nonFiniteOutput({ map: map(1, 2), alpha: map(1, value, 0) })).toBe('alpha');
  });

  it('accepts every finite number', () => {
    expect(nonFiniteOutput({ map: map(0, -0, 3.4e38, -3.4e38, 1e-45) })).toBeUndefined();
  });
});
