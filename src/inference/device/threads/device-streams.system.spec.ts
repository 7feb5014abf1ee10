import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../models/repository/load-catalog.js';
import type { ModelRoute } from '../../../models/manifest/model-route.js';
import { deviceStages } from '../../device-stages.js';
import { float32Tensor, uint8Tensor } from '../../tensor.js';
import type { DeviceItem, DeviceStage } from '../device-port.js';
import { DeviceStreams } from './device-streams.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../../../models'));
const tone = catalog.route('auto_enhance', 'medium')!;
const upscale = catalog.route('upscale', 'low')!;
const edge = tone.render.tile + 2 * tone.render.halo;

const stagesOf = (...routes: ModelRoute[]): readonly DeviceStage[] => deviceStages({ routes: () => routes });

const pattern = (length: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(length).map((_, index) => (index * 7) & 255);

const whole = (analysis: number): DeviceItem => {
  const { size } = tone.analyse!;
  return { tensors: { image: uint8Tensor([1, size, size, 3], pattern(size * size * 3)) }, analysis };
};

const tile = (analysis: number): DeviceItem => ({
  tensors: {
    image: uint8Tensor([1, edge, edge, 3], pattern(edge * edge * 3)),
    strength: float32Tensor([1], [1]),
    window: float32Tensor([1, 4], [0, 0, 1, 1]),
  },
  analysis,
});

describe('DeviceStreams', () => {
  const deaths: Error[] = [];
  let group: DeviceStreams;

  const start = async (
    stages: readonly DeviceStage[],
    { threads = 2, streams = 2 } = {},
  ): Promise<DeviceStreams> => {
    group = await DeviceStreams.start(
      // A worker that prefers 8 bits would not notice that the float32 file is missing.
      { device: 'cpu', precision: 'float32', threads, streams, stages, reopenPauseMs: 100 },
      { onDeath: (error) => deaths.push(error) },
    );
    return group;
  };

  /** The number of runs in progress on each stream. */
  const underway = (): readonly number[] => group['streams'].map((stream) => stream.underway);

  afterEach(async () => {
    await group.close();
    deaths.splice(0);
  });

  it('starts with one stream, and opens the others at warm-up', async () => {
    const { count, provider } = await start(stagesOf(tone));
    expect({ count, provider }).toEqual({ count: 1, provider: 'cpu' });
    expect(await group.warm()).toEqual([]);
    expect(group.count).toBe(2);
    expect(deaths).toEqual([]);
  });

  it.each([
    [1, 4, 1],
    [3, 2, 2],
    [2, 3, 2],
  ])('with %i threads and %i requested streams opens %i', async (threads, streams, count) => {
    await start(stagesOf(tone), { threads, streams });
    await group.warm();
    expect(group.count).toBe(count);
  });

  it('runs the tiles of one job on all streams, with the maps of its analysis', async () => {
    await start(stagesOf(tone));
    await group.warm();
    await group.run(tone.analyse!.id, [whole(1)]);
    const running = [1, 2].map(() => group.run(tone.render.id, [tile(1)]));
    expect(underway()).toEqual([1, 1]);
    const [first, second] = (await Promise.all(running)).map(([outcome]) => outcome);
    expect(first).toMatchObject({ ok: true, tensors: { image: { dims: [1, edge, edge, 3] } } });
    expect(second).toEqual(first);
    group.forget(1);
    const gone = { ok: false, message: 'the analysis 1 is not cached any more' };
    expect(await Promise.all([1, 2].map(() => group.run(tone.render.id, [tile(1)])))).toEqual([
      [gone],
      [gone],
    ]);
  });

  it('keeps the tiles of a job on the stream of its analysis if that is older than the other streams', async () => {
    await start(stagesOf(tone));
    await group.run(tone.analyse!.id, [whole(1)]);
    await group.warm();
    await group.run(tone.analyse!.id, [whole(2)]);
    const running = [1, 1, 2].map((analysis) => group.run(tone.render.id, [tile(analysis)]));
    expect(underway()).toEqual([2, 1]);
    expect(await Promise.all(running)).toMatchObject([[{ ok: true }], [{ ok: true }], [{ ok: true }]]);
  });

  it('continues with the streams it has when another does not start, and reports it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ies-streams-'));
    const path = join(folder, 'x2.onnx');
    await copyFile(upscale.render.path, path);
    const route = { ...upscale, render: { ...upscale.render, path, tile: 32 } };
    await start(stagesOf(route));
    await rm(folder, { recursive: true });
    expect(await group.warm()).toEqual([
      expect.stringMatching(/^1 of 2 streams run, another is tried again: The stage upscale/),
    ]);
    const side = 32 + 2 * route.render.halo;
    const item = {
      tensors: { image: uint8Tensor([1, side, side, 3], pattern(side * side * 3)) },
      analysis: null,
    };
    expect(await group.run(route.render.id, [item])).toMatchObject([{ ok: true }]);
  });

  it('opens another stream as soon as it can', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ies-streams-'));
    const path = join(folder, 'x2.onnx');
    await copyFile(upscale.render.path, path);
    await start(stagesOf({ ...upscale, render: { ...upscale.render, path } }));
    await rename(path, `${path}.away`);
    expect(await group.warm()).toHaveLength(1);
    expect(group.count).toBe(1);
    await rename(`${path}.away`, path);
    await expect.poll(() => group.count, { timeout: 30_000 }).toBe(2);
    await rm(folder, { recursive: true });
  });

  it('opens a stream without the stages that do not load there, and runs those on the first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ies-streams-'));
    const path = join(folder, 'x2.onnx');
    await copyFile(upscale.render.path, path);
    const route = { ...upscale, render: { ...upscale.render, path, tile: 32 } };
    await start(stagesOf(tone, route));
    await rm(folder, { recursive: true });
    const said = await group.warm();
    expect(said).toEqual([
      expect.stringMatching(/^2 of 2 streams run, not all stages on each: The stage upscale/),
    ]);
    expect(group.count).toBe(2);
    const side = 32 + 2 * route.render.halo;
    const image = uint8Tensor([1, side, side, 3], pattern(side * side * 3));
    const running = [1, 2].map(() =>
      group.run(route.render.id, [{ tensors: structuredClone({ image }), analysis: null }]),
    );
    expect(underway()).toEqual([2, 0]);
    expect(await Promise.all(running)).toMatchObject([[{ ok: true }], [{ ok: true }]]);
    await group.run(tone.analyse!.id, [whole(1)]);
    const tiles = [1, 1].map(() => group.run(tone.render.id, [tile(1)]));
    expect(underway()).toEqual([1, 1]);
    expect(await Promise.all(tiles)).toMatchObject([[{ ok: true }], [{ ok: true }]]);
  });

  it('runs nothing on a stream that is lost', async () => {
    await start(stagesOf(tone));
    await group.warm();
    // Idle, because the runtime aborts the process when a thread ends during a run.
    await group['streams'][0]!.device['worker'].terminate();
    expect(deaths).toHaveLength(1);
    await group.run(tone.analyse!.id, [whole(1)]);
    const running = [1, 1].map((analysis) => group.run(tone.render.id, [tile(analysis)]));
    expect(underway()).toEqual([0, 2]);
    expect(await Promise.all(running)).toMatchObject([[{ ok: true }], [{ ok: true }]]);
  });

  it('reports its death once, and rejects later runs', async () => {
    await start(stagesOf(tone));
    await group.warm();
    // The streams are idle, because the runtime aborts the process when a thread ends during a run.
    for (const { device } of group['streams']) await device['worker'].terminate();
    expect(deaths).toEqual([expect.objectContaining({ name: 'DeviceLostError' })]);
    await expect(group.run(tone.render.id, [tile(1)])).rejects.toThrow('The device thread is gone');
  });

  it('opens no more streams once it is closed', async () => {
    await start(stagesOf(tone), { threads: 4, streams: 4 });
    const warming = group.warm();
    await group.close();
    await warming;
    // The stream that was being opened may still count.
    expect(group.count).toBeLessThanOrEqual(2);
    await expect(group.run(tone.render.id, [tile(1)])).rejects.toThrow('The device thread is gone');
    expect(deaths).toEqual([]);
  });
});
