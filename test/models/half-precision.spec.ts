import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trialInputs } from '../../src/models/check/trial.js';
import { modelHead } from '../../src/models/onnx/model-head.js';
import { loadCatalog } from '../../src/models/repository/load-catalog.js';
import { deviceStages } from '../../src/inference/device-stages.js';
import { OnnxEngine } from '../../src/inference/engines/onnx-engine.js';
import type { NamedTensors, Tensor } from '../../src/inference/tensor.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../models'));
const engine = new OnnxEngine({ provider: 'cpu', threads: 2, isGuess: false });
const stages = deviceStages({ routes: () => catalog.routes() }).filter(({ ref }) => ref.fp16 !== undefined);

/** The limit for bytes, of 255; for maps, a share of their largest value. */
const LARGEST = { uint8: 2, float32: 0.02 } as const;

async function outputsOf(path: string, inputs: NamedTensors): Promise<NamedTensors> {
  const graph = await engine.open({ kind: 'file', path });
  const offered = Object.fromEntries(graph.inputNames.map((name) => [name, inputs[name]!]));
  const outputs = await graph.run(offered);
  await graph.release();
  return outputs;
}

describe('half-precision twins of the built-in networks', () => {
  it('exist for every network: each upscaler, each subject finder and the skin finder', () => {
    expect(stages.map(({ ref }) => ref.id).toSorted()).toEqual([
      'bg_remove/1/subject-320',
      'bg_remove/1/subject-512',
      'smooth_skin/1/skin',
      'upscale/1/x2-best',
      'upscale/1/x2-fast',
      'upscale/1/x4',
    ]);
  });

  it.each(stages)('$ref.id has the same inputs and outputs, within rounding', async ({ ref, mapSets }) => {
    const edge = ref.kind === 'analyse' ? ref.size : 48;
    const inputs = trialInputs({ batch: 1, edge, channels: 3 }, mapSets[0] ?? {});
    const single = await outputsOf(ref.path, inputs);
    const half = await outputsOf(ref.fp16!.path, inputs);
    expect(Object.keys(half)).toEqual(Object.keys(single));
    for (const [name, { type, dims, data }] of Object.entries(single)) {
      expect({ type: half[name]!.type, dims: half[name]!.dims }).toEqual({ type, dims });
      const size = type === 'uint8' ? 1 : largest(data, (value) => Math.abs(value));
      const difference = largest(data, (value, at) => Math.abs(value - half[name]!.data[at]!));
      expect(difference / Math.max(1, size)).toBeLessThanOrEqual(LARGEST[type]);
    }
  });

  it.each(stages)('$ref.id is small and not a copy of the original', async ({ ref }) => {
    const [single, half] = await Promise.all([readFile(ref.path), readFile(ref.fp16!.path)]);
    expect(half.length).toBeLessThan(0.6 * single.length);
    expect(half.length).toBeLessThan(6_000_000);
    expect(modelHead(half).inputs).toEqual(modelHead(single).inputs);
  });
});

function largest(values: Tensor['data'], of: (value: number, at: number) => number): number {
  let most = 0;
  for (const [at, value] of values.entries()) most = Math.max(most, of(value, at));
  return most;
}
