import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../models/repository/load-catalog.js';
import type { RenderStageRef } from '../../../models/manifest/model-route.js';
import { float32Tensor, type NamedTensors, uint8Tensor } from '../../tensor.js';
import { DeviceBroken } from '../device-broken.js';
import type { DeviceOutcome, RunReport } from '../device-port.js';
import { LoadedStage } from './loaded-stage.js';
import { ReusableBuffers } from './reusable-buffers.js';
import { smallestTile } from '../../tiling/fitting-tile.js';
import { StageRunner } from './stage-runner.js';
import { type Feed, WatchedEngine } from '../testing/watched-engine.js';

const OUT_OF_MEMORY = 'bfc_arena.cc:376 Failed to allocate memory for requested buffer of size 2147483648';
const TOO_LARGE = { ok: false, message: OUT_OF_MEMORY, isOutOfMemory: true };
const catalog = await loadCatalog(join(import.meta.dirname, '../../../../models'));
const committed = catalog.route('upscale', 'low')!.render;
const ref: RenderStageRef = { ...committed, tile: 31, maxBatch: 8 };
const edge = ref.tile + 2 * ref.halo;

type Done = Extract<DeviceOutcome, { ok: true }>;

/** Pixels that differ from each other and between items. */
function item(seed: number): NamedTensors {
  const pixels = new Uint8Array(edge * edge * 3).map((_, index) => (index * 7 + (index >> 6) * seed) & 255);
  return {
    image: uint8Tensor([1, edge, edge, 3], pixels),
    strength: float32Tensor([1], [1]),
    window: float32Tensor([1, 4], [0, 0, 1, 1]),
  };
}

interface Stage {
  readonly runner: StageRunner;
  readonly engine: WatchedEngine;
  readonly reports: RunReport[];
}

async function stage(refuse?: (feed: Feed) => string | undefined, changeMs?: number): Promise<Stage> {
  const engine = new WatchedEngine(refuse, changeMs);
  const reports: RunReport[] = [];
  const loaded = await LoadedStage.load(engine, { ref, mapSets: [{}] });
  return { engine, reports, runner: new StageRunner(loaded, (report) => reports.push(report)) };
}

/** The useful part of each result. */
function useful(outcomes: readonly DeviceOutcome[]): number[][] {
  const [from, to] = [ref.halo * ref.scale, (ref.halo + ref.tile) * ref.scale];
  return outcomes.map((outcome) => {
    if (!outcome.ok) throw new Error(outcome.message);
    const { data, dims } = outcome.tensors['image']!;
    const stride = dims[2]! * 3;
    return Array.from({ length: to - from }, (_, row) => [
      ...data.subarray((from + row) * stride + from * 3, (from + row) * stride + to * 3),
    ]).flat();
  });
}

const seeds = [1, 2, 3, 4, 5, 6, 7];
const items = seeds.map(item);
const whole = useful(await (await stage()).runner.run(items));

function expectTheSame(outcomes: readonly DeviceOutcome[]): void {
  const pixels = useful(outcomes);
  expect(pixels).toHaveLength(whole.length);
  for (const [index, values] of pixels.entries()) {
    const off = values.reduce((most, value, at) => Math.max(most, Math.abs(value - whole[index]![at]!)), 0);
    expect(off, `item ${index}`).toBeLessThanOrEqual(1);
  }
}

describe('StageRunner', () => {
  it('pads a batch to a size that it is warmed for, and returns only the real items', async () => {
    const { runner, engine, reports } = await stage();
    expectTheSame(await runner.run(items));
    expect(engine.feeds.map(({ batch }) => batch)).toEqual([8]);
    expect(reports).toMatchObject([{ stageId: ref.id, items: 7, size: 8, end: 'done' }]);
  });

  it('writes the images of a batch into one buffer, and reuses it once it is returned', async () => {
    const buffers = new ReusableBuffers();
    const loaded = await LoadedStage.load(new WatchedEngine(), { ref, mapSets: [{}] }, Infinity, buffers);
    const runner = new StageRunner(loaded);
    const buffersOf = (outcomes: readonly DeviceOutcome[]): Set<ArrayBuffer> =>
      new Set(outcomes.map((outcome) => (outcome as Done).tensors['image']!.data.buffer));
    expect(buffersOf(await runner.run(items)).size).toBe(items.length);
    const [buffer, ...others] = buffersOf(await runner.run(items));
    expect(others).toEqual([]);
    new Uint8Array(buffer!).fill(0);
    buffers.give([buffer!]);
    const again = await runner.run(items);
    expect(buffersOf(again)).toEqual(new Set([buffer]));
    expectTheSame(again);
  });

  it('halves the batch when memory is short, and keeps the smaller size', async () => {
    const { runner, engine, reports } = await stage(({ batch }) => (batch > 2 ? OUT_OF_MEMORY : undefined));
    expectTheSame(await runner.run(items));
    expect(engine.feeds.map(({ batch }) => batch)).toEqual([8, 4, 2, 2, 2, 1]);
    expect(reports.map(({ end }) => end).slice(0, 3)).toEqual(['out_of_memory', 'out_of_memory', 'done']);
    expectTheSame(await runner.run(items));
    expect(engine.feeds.slice(6).map(({ batch }) => batch)).toEqual([2, 2, 2, 1]);
  });

  it('splits a tile into four when even one does not fit, with the same result', async () => {
    const { runner, engine } = await stage((feed) => (feed.edge === edge ? OUT_OF_MEMORY : undefined));
    expectTheSame(await runner.run(items));
    const pieces = engine.feeds.filter((feed) => feed.edge !== edge);
    expect(engine.feeds.slice(0, 4).map(({ batch }) => batch)).toEqual([8, 4, 2, 1]);
    expect(pieces).toHaveLength(4 * items.length);
    expect(new Set(pieces.map((feed) => feed.edge))).toEqual(new Set([16 + 2 * ref.halo]));
  });

  it('reports out of memory when nothing is small enough', async () => {
    const { runner } = await stage(() => OUT_OF_MEMORY);
    const outcomes = await runner.run(items.slice(0, 2));
    expect(outcomes).toEqual([1, 2].map(() => TOO_LARGE));
  });

  it('does not split tiles for a graph that accepts only whole ones', async () => {
    const { runner, engine } = await stage((feed) =>
      feed.edge === edge ? OUT_OF_MEMORY : 'Got invalid dimensions for input: image',
    );
    expect(await runner.run(items.slice(0, 1))).toEqual([TOO_LARGE]);
    expect(await runner.run(items.slice(0, 1))).toEqual([TOO_LARGE]);
    expect(engine.feeds.filter((feed) => feed.edge !== edge)).toHaveLength(1);
  });

  it('reruns a failed batch item by item, so that only the bad item fails', async () => {
    const bad = 3;
    const engine = new WatchedEngine();
    const loaded = await LoadedStage.load(engine, { ref, mapSets: [{}] });
    const sound = loaded.run.bind(loaded);
    loaded.run = async (batch) => {
      if (batch.includes(items[bad]!)) throw new Error('this one is bad');
      return sound(batch);
    };
    const outcomes = await new StageRunner(loaded).run(items);
    expect(outcomes.map(({ ok }) => ok)).toEqual(seeds.map((_, index) => index !== bad));
    expect(outcomes[bad]).toEqual({ ok: false, message: 'this one is bad' });
    expect(engine.feeds.map(({ batch }) => batch)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  describe('whose runs fail from now on', () => {
    /** A runner whose session has run once and is then released. */
    async function broken(provider: string): Promise<StageRunner> {
      const engine = new WatchedEngine(undefined, undefined, provider);
      const loaded = await LoadedStage.load(engine, { ref, mapSets: [{}] });
      const runner = new StageRunner(loaded);
      expectTheSame(await runner.run(items));
      await loaded.release();
      return runner;
    }

    it('reports that its accelerator is broken, because zeros do not run either', async () => {
      const running = (await broken('cuda:0')).run(items);
      await expect(running).rejects.toThrow(DeviceBroken);
      await expect(running).rejects.toThrow(`cuda:0 does not run ${ref.id} anymore: `);
    });

    it('fails the items on a CPU, whose errors do not last', async () => {
      const outcomes = await (await broken('cpu')).run(items);
      expect(outcomes.map(({ ok }) => ok)).toEqual(seeds.map(() => false));
    });
  });

  it('fails only the item that an accelerator does not run, as long as zeros do', async () => {
    const engine = new WatchedEngine(undefined, undefined, 'cuda:0');
    const loaded = await LoadedStage.load(engine, { ref, mapSets: [{}] });
    const runner = new StageRunner(loaded);
    await runner.warmEveryShape();
    const sound = loaded.run.bind(loaded);
    loaded.run = async (batch, ...how) => {
      if (batch.includes(items[0]!)) throw new Error('this one is bad');
      return sound(batch, ...how);
    };
    expect(await runner.run(items.slice(0, 1))).toEqual([{ ok: false, message: 'this one is bad' }]);
    expect(await runner.run(items.slice(1, 2))).toMatchObject([{ ok: true }]);
  });

  it('reports out of memory for an item that fails on an accelerator too full to run zeros', async () => {
    let isFull = false;
    const engine = new WatchedEngine(() => (isFull ? OUT_OF_MEMORY : undefined), undefined, 'cuda:0');
    const loaded = await LoadedStage.load(engine, { ref, mapSets: [{}] });
    const runner = new StageRunner(loaded);
    await runner.warmEveryShape();
    const message = 'CUBLAS failure 1: CUBLAS_STATUS_NOT_INITIALIZED';
    const sound = loaded.run.bind(loaded);
    loaded.run = async (batch, ...how) => {
      if (batch.includes(items[0]!)) throw new Error(message);
      return sound(batch, ...how);
    };
    isFull = true;
    const outcomes = await runner.run(items.slice(0, 1));
    expect(outcomes).toEqual([{ ok: false, message, isOutOfMemory: true }]);
  });

  it('is warm on a CPU after one run of the smallest tile', async () => {
    const engine = new WatchedEngine();
    const runner = new StageRunner(await LoadedStage.load(engine, { ref: committed, mapSets: [{}] }));
    await runner.warm();
    const { halo } = committed;
    expect(engine.feeds).toMatchObject([{ batch: 1, edge: smallestTile(committed) + 2 * halo }]);
    expect(smallestTile(committed)).toBeLessThan(committed.tile);
  });

  it('learns at warm-up which sizes fit into memory, and never tries the others', async () => {
    const { runner, engine, reports } = await stage(({ batch }) => (batch > 4 ? OUT_OF_MEMORY : undefined));
    await runner.warmEveryShape();
    const warmed = engine.feeds.length;
    expectTheSame(await runner.run(items));
    expect(engine.feeds.slice(warmed).map(({ batch }) => batch)).toEqual([4, 4]);
    expect(reports.map(({ end }) => end)).toEqual(['done', 'done']);
  });

  describe('for a graph that keeps one shape', () => {
    /** Much longer than a run of eight small tiles, even on a busy machine. */
    const SLOW_MS = 1_000;

    /** A runner that is warm, and the sizes of its runs since. */
    async function warm(
      changeMs: number,
      refuse?: (feed: Feed) => string | undefined,
    ): Promise<Stage & { readonly sizes: () => readonly number[] }> {
      const made = await stage(refuse, changeMs);
      await made.runner.warmEveryShape();
      const warmed = made.engine.feeds.length;
      return { ...made, sizes: () => made.engine.feeds.slice(warmed).map(({ batch }) => batch) };
    }

    it('pads every batch to the largest size, in the shape of the last warm-up', async () => {
      const { runner, engine, reports, sizes } = await warm(SLOW_MS);
      const last = engine.feeds.at(-1)!.shapes;
      expectTheSame([...(await runner.run(items.slice(0, 1))), ...(await runner.run(items.slice(1)))]);
      expect(sizes()).toEqual([8, 8]);
      expect(reports).toMatchObject([
        { items: 1, size: 8 },
        { items: 6, size: 8 },
      ]);
      expect(new Set(engine.feeds.slice(-2).map(({ shapes }) => shapes))).toEqual(new Set([last]));
    });

    it('uses the largest size that fits into memory', async () => {
      const { runner, engine, sizes } = await warm(SLOW_MS, ({ batch }) =>
        batch > 2 ? OUT_OF_MEMORY : undefined,
      );
      expect(engine.feeds.map(({ batch }) => batch)).toEqual([8, 4, 2, 2, 2, 1, 2]);
      expectTheSame(await runner.run(items));
      expect(sizes()).toEqual([2, 2, 2, 2]);
    });

    it('halves the padded batch of a single item when memory is short', async () => {
      let most = 8;
      const { runner, sizes } = await warm(SLOW_MS, ({ batch }) =>
        batch > most ? OUT_OF_MEMORY : undefined,
      );
      most = 1;
      const [outcome] = await runner.run(items.slice(0, 1));
      expect(outcome).toMatchObject({ ok: true });
      expect(sizes()).toEqual([8, 4, 2, 1]);
    });

    it('does not pad when a run in a new shape takes less time', async () => {
      const { runner, sizes } = await warm(0);
      expect(await runner.run(items.slice(0, 1))).toMatchObject([{ ok: true }]);
      expectTheSame(await runner.run(items));
      expect(sizes()).toEqual([1, 8]);
    });
  });
});
