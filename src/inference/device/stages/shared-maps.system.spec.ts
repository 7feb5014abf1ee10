import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../models/repository/load-catalog.js';
import type { Engine } from '../../engines/engine.js';
import { OnnxEngine } from '../../engines/onnx-engine.js';
import { float32Tensor, type NamedTensors, type Tensor, uint8Tensor } from '../../tensor.js';
import { LoadedStage } from './loaded-stage.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../../../models'));
const { render } = catalog.route('auto_enhance', 'medium')!;
const ref = { ...render, tile: 16, maxBatch: 4 };
const EDGE = ref.tile + 2 * ref.halo;
const MAPS = { tone: [10], light: [2, 256, 256] };

const map = (dims: readonly number[], seed: number): Tensor =>
  float32Tensor(
    [1, ...dims],
    Array.from({ length: dims.reduce((a, b) => a * b) }, (_, at) => (((at + seed) * 31) % 97) / 97),
  );

const mapsOf = (seed: number): NamedTensors => ({ tone: map(MAPS.tone, seed), light: map(MAPS.light, seed) });

/** A tile of the job with these maps. */
const tile = (maps: NamedTensors, seed: number): NamedTensors => ({
  ...maps,
  image: uint8Tensor(
    [1, EDGE, EDGE, 3],
    new Uint8Array(EDGE * EDGE * 3).map((_, at) => (at * 7 + seed * 13) & 255),
  ),
  strength: float32Tensor([1], [1]),
  window: float32Tensor([1, 4], [0.04 * seed, 0.2, 0.5, 0.5]),
});

describe('the maps of a batch', () => {
  const [one, other] = [mapsOf(1), mapsOf(2)];
  const fed: NamedTensors[] = [];
  let stage: LoadedStage;

  beforeAll(async () => {
    const onnx = new OnnxEngine({ provider: 'cpu', threads: 1, isGuess: false, precision: 'float32' });
    const engine: Engine = {
      provider: 'cpu',
      load: async (given) => {
        const graph = await onnx.load(given);
        return {
          inputNames: graph.inputNames,
          outputNames: graph.outputNames,
          release: () => graph.release(),
          run: (inputs) => {
            fed.push(inputs);
            return graph.run(inputs);
          },
        };
      },
    };
    stage = await LoadedStage.load(engine, { ref, mapSets: [MAPS] });
  });
  beforeEach(() => {
    fed.splice(0);
  });

  /** The results of tiles that run together. */
  const together = async (tiles: readonly NamedTensors[]): Promise<readonly unknown[]> =>
    (await stage.run(tiles)).map((outputs) => outputs['image']!.data);

  const alone = async (tiles: readonly NamedTensors[]): Promise<readonly unknown[]> => {
    const results = [];
    for (const item of tiles) results.push(...(await together([item])));
    return results;
  };

  it('are stacked once for all batches of one job', async () => {
    const [first, second] = [
      [1, 2, 3, 4].map((seed) => tile(one, seed)),
      [5, 6, 7].map((seed) => tile(one, seed)),
    ];
    const results = [...(await together(first)), ...(await together(second))];
    expect(fed.map(({ light }) => light!.dims)).toEqual([
      [4, 2, 256, 256],
      [4, 2, 256, 256],
    ]);
    expect(fed[1]!['light']).toBe(fed[0]!['light']);
    expect(fed[1]!['tone']).toBe(fed[0]!['tone']);
    expect(fed[1]!['image']).not.toBe(fed[0]!['image']);
    expect(results).toEqual(await alone([...first, ...second]));
  });

  it('are stacked again for a batch of another size', async () => {
    const tiles = [1, 2].map((seed) => tile(one, seed));
    const results = await together(tiles);
    expect(fed[0]!['light']!.dims[0]).toBe(2);
    expect(results).toEqual(await alone(tiles));
  });

  it('are those of each tile when tiles of two jobs share a batch', async () => {
    const tiles = [tile(one, 1), tile(other, 2), tile(other, 3), tile(one, 4)];
    const results = await together(tiles);
    expect(results).toEqual(await alone(tiles));
    expect(results[1]).not.toEqual((await alone([tile(one, 2)]))[0]);
  });

  it('never include the image of a single tile that pads its batch', async () => {
    const item = tile(one, 9);
    const [padded] = await stage.run([item], undefined, 4);
    expect(fed[0]!['image']!.dims[0]).toBe(4);
    const next = tile(one, 8);
    await stage.run([next], undefined, 4);
    expect(fed[1]!['image']!.data).not.toEqual(fed[0]!['image']!.data);
    expect(padded!['image']!.data).toEqual((await alone([item]))[0]);
  });
});
