import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RenderStageRef } from '../../../models/manifest/model-route.js';
import { loadCatalog } from '../../../models/repository/load-catalog.js';
import { OnnxEngine } from '../../engines/onnx-engine.js';
import { float32Tensor, type Tensor, uint8Tensor, zeros } from '../../tensor.js';
import { deviceStages } from '../../device-stages.js';
import type { DeviceItem } from '../device-port.js';
import { DeviceModel } from './device-model.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../../../models'));
const engine = new OnnxEngine({ provider: 'cpu', threads: 1, isGuess: false, precision: 'float32' });
const stages = deviceStages({ routes: () => catalog.routes() }).filter(
  ({ ref }) => ref.kind === 'render' && ref.skipWhereZero !== undefined,
);
const GRID = 3;

/** The tiles of a noisy square whose map is above 0 only in the middle of its first tile. */
function items(ref: RenderStageRef, channels: 3 | 4): readonly DeviceItem[] {
  const edge = ref.tile + 2 * ref.halo;
  const side = ref.tile * GRID;
  return Array.from({ length: GRID * GRID }, (_, index) => {
    const pixels = new Uint8Array(edge * edge * channels).map(
      (__, at) => (at * 31 + (at >> 7) * 13 + index * 50) & 255,
    );
    const [y, x] = [Math.floor(index / GRID), index % GRID].map((at) => at * ref.tile - ref.halo);
    const window = [y!, x!, y! + edge, x! + edge].map((at) => at / side);
    const tensors = {
      image: uint8Tensor([1, edge, edge, channels], pixels),
      strength: float32Tensor([1], [0.9]),
      window: float32Tensor([1, 4], window),
    };
    return { tensors, analysis: 1 };
  });
}

function maps(
  sets: Readonly<Record<string, readonly number[]>>,
  skipWhereZero: string,
): Record<string, Tensor> {
  const made = Object.entries(sets).map(([name, dims]) => [name, zeros('float32', [1, ...dims])] as const);
  for (const [name, { data, dims }] of made) {
    const [, channels, size] = dims as readonly [number, number, number];
    if (name !== skipWhereZero) continue;
    for (let channel = 0; channel < channels; channel += 1)
      for (let row = 10; row < 40; row += 1)
        data.fill(0.7, (channel * size + row) * size + 10, (channel * size + row) * size + 40);
  }
  return Object.fromEntries(made);
}

async function rendered(
  ref: RenderStageRef,
  cached: Readonly<Record<string, Tensor>>,
  channels: 3 | 4,
): Promise<{ tiles: readonly Uint8Array[]; runs: number }> {
  let runs = 0;
  const mapSet = Object.fromEntries(Object.entries(cached).map(([name, { dims }]) => [name, dims.slice(1)]));
  const model = await DeviceModel.load(engine, [{ ref, mapSets: [mapSet] }], {
    largestBatch: 1,
    onRun: () => (runs += 1),
  });
  model.cache({ analysis: 1, maps: cached });
  const outcomes = await model.run(ref.id, items(ref, channels));
  await model.release();
  const tiles = outcomes.map((outcome) => {
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.tensors['image']!.data as Uint8Array;
  });
  return { tiles, runs };
}

/** Whether two tiles look the same. The color of a transparent pixel is not part of a cutout. */
function looksTheSame(one: Uint8Array, other: Uint8Array, hasAlpha: boolean): boolean {
  if (!hasAlpha) return Buffer.compare(one, other) === 0;
  const alphaOf = (at: number): number => one[at - (at % 4) + 3]!;
  return one.every((value, at) => value === other[at] || (at % 4 < 3 && alphaOf(at) === 0));
}

describe('built-in stages that skip tiles', () => {
  it('are those of smooth_skin and bg_remove', () => {
    expect(new Set(stages.map(({ ref }) => ref.id.split('/')[0]))).toEqual(
      new Set(['bg_remove', 'smooth_skin']),
    );
  });

  it.each(
    stages.flatMap(({ ref, mapSets }) =>
      ([3, 4] as const).map((channels) => ({
        id: ref.id,
        ref: ref as RenderStageRef,
        sets: mapSets[0]!,
        channels,
      })),
    ),
  )('$id gives the same pixels with $channels channels, in fewer runs', async ({ ref, sets, channels }) => {
    const { skipWhereZero, ...plain } = ref;
    const cached = maps(sets, skipWhereZero!);
    const whole = await rendered(plain, cached, channels);
    const skipped = await rendered(ref, cached, channels);
    expect(whole.runs).toBe(GRID * GRID);
    expect(skipped.runs).toBeLessThan(GRID * GRID - 4);
    expect(skipped.runs).toBeGreaterThan(0);
    for (const [index, tile] of whole.tiles.entries())
      expect(looksTheSame(tile, skipped.tiles[index]!, ref.producesAlpha), `tile ${index}`).toBe(true);
  });
});
