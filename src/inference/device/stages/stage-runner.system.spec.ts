import { describe, expect, it } from 'vitest';
import { DeviceBroken } from '../device-broken.js';
import type { DeviceOutcome } from '../device-port.js';
import { smallestTile } from '../../tiling/fitting-tile.js';
import { WatchedEngine } from '../testing/watched-engine.js';
import {
  committed,
  edge,
  expectTheSame,
  items,
  OUT_OF_MEMORY,
  ref,
  seeds,
  stage,
} from '../testing/watched-stage.js';
import { LoadedStage } from './loaded-stage.js';
import { ReusableBuffers } from './reusable-buffers.js';
import { StageRunner } from './stage-runner.js';

const TOO_LARGE = { ok: false, message: OUT_OF_MEMORY, isOutOfMemory: true };

type Done = Extract<DeviceOutcome, { ok: true }>;

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
});
