import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../models/repository/load-catalog.js';
import type { ModelRoute } from '../../models/manifest/model-route.js';
import { deviceStages } from '../device-stages.js';
import { float32Tensor, uint8Tensor } from '../tensor.js';
import type { DeviceLostError } from '../device-fault.js';
import { Device } from './device.js';
import type { DeviceItem, DeviceStage } from './device-port.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../../models'));

const withSmallTiles = (route: ModelRoute): ModelRoute => ({
  ...route,
  render: { ...route.render, tile: 32 },
});

/** The routes of one operation with small tiles, for short runs. */
function routesOf(operation: string): ModelRoute[] {
  return catalog
    .routes()
    .filter((route) => route.operation === operation)
    .map(withSmallTiles);
}

const stagesOf = (operation: string): readonly DeviceStage[] =>
  deviceStages({ routes: () => routesOf(operation) });

/** A black tile, for a stage without maps. */
function tileOf({ ref }: DeviceStage): DeviceItem {
  if (ref.kind !== 'render') throw new Error(`${ref.id} is not a render stage`);
  const edge = ref.tile + 2 * ref.halo;
  const image = uint8Tensor([1, edge, edge, 3], new Uint8Array(edge * edge * 3));
  return { tensors: { image }, analysis: null };
}

const unexpected = {
  onDeath: (error: DeviceLostError): void => {
    throw error;
  },
};

const start = (
  stages: readonly DeviceStage[],
  device: 'cpu' | 'tensorrt' | 'auto' = 'cpu',
): Promise<Device> => Device.start({ device, threads: 1, streams: 1, largestBatch: 4, stages }, unexpected);

describe('Device with stages that analyze and render', () => {
  const [route] = routesOf('auto_enhance');
  const analyse = route!.analyse!;
  const { render } = route!;
  const edge = render.tile + 2 * render.halo;
  let device: Device;

  beforeAll(async () => {
    device = await start(stagesOf('auto_enhance'));
  });

  afterAll(async () => {
    await device.close();
  });

  const whole = (analysis: number): DeviceItem => ({
    tensors: {
      image: uint8Tensor([1, analyse.size, analyse.size, 3], new Uint8Array(analyse.size ** 2 * 3).fill(90)),
    },
    analysis,
  });

  const tile = (analysis: number | null, bytes = edge * edge * 3): DeviceItem => ({
    tensors: {
      image: uint8Tensor([1, edge, edge, 3], new Uint8Array(bytes).fill(90)),
      strength: float32Tensor([1], [1]),
      window: float32Tensor([1, 4], [0, 0, 1, 1]),
    },
    analysis,
  });

  it('reports the provider that it runs on', () => {
    expect(device.provider).toBe('cpu');
    expect(device.passedOver).toEqual([]);
  });

  it('keeps maps on the device, feeds renders from them, and forgets them', async () => {
    expect(await device.run(analyse.id, [whole(1)])).toEqual([{ ok: true, tensors: {} }]);
    const [rendered] = await device.run(render.id, [tile(1)]);
    expect(rendered).toMatchObject({ ok: true, tensors: { image: { dims: [1, edge, edge, 3] } } });
    device.forget(1);
    expect(await device.run(render.id, [tile(1)])).toEqual([
      { ok: false, message: 'the analysis 1 is not cached any more' },
    ]);
  });

  it('fails only the bad items of a batch', async () => {
    await device.run(analyse.id, [whole(2)]);
    const outcomes = await device.run(render.id, [tile(2), tile(2, 7), tile(null), tile(2)]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, false, true]);
    expect(outcomes[1]).toMatchObject({ message: expect.stringContaining('of 7') });
    expect(outcomes[2]).toMatchObject({ message: expect.stringMatching(/the input \w+ was not given/) });
    device.forget(2);
  });

  it('refuses a shape outside the closed set', async () => {
    const odd = { tensors: { image: uint8Tensor([1, 8, 8, 3], new Uint8Array(192)) }, analysis: null };
    const wanted = `the image must be uint8[1,${edge},${edge},3] or uint8[1,${edge},${edge},4], not uint8[1,8,8,3] of 192`;
    expect(await device.run(render.id, [odd])).toEqual([{ ok: false, message: wanted }]);
  });

  it('reports an error for a stage that is not loaded', async () => {
    expect(await device.run('none/1/x', [tile(null)])).toEqual([
      { ok: false, message: 'the stage is not loaded' },
    ]);
  });
});

describe('Device.start', () => {
  const [stage] = stagesOf('upscale');
  const ref = stage!.ref;

  it('names the stage, the file, and the provider when a graph does not load', async () => {
    const path = join(import.meta.dirname, 'device.system.spec.ts');
    const broken = { ...ref, path, int8: { path } };
    await expect(start([{ ...stage!, ref: broken }])).rejects.toThrow(
      `The stage ${ref.id} (${path}) does not run on cpu: `,
    );
  });

  it('refuses a graph whose inputs do not match its manifest', async () => {
    const tone = stagesOf('auto_enhance').find((candidate) => candidate.ref.kind === 'render');
    await expect(start([{ ...tone!, mapSets: [{}] }])).rejects.toThrow(
      /the graph needs .+ as input; it can use image/,
    );
  });

  it('reports stages that do not match their manifest at warm-up, and runs the others', async () => {
    if (ref.kind !== 'render') throw new Error('upscale begins with a render stage');
    const [, sound] = stagesOf('upscale');
    const device = await start([{ ...stage!, ref: { ...ref, scale: 7 } }, sound!]);
    const text = /^The stage upscale.* must be uint8\[1,\d+,\d+,3\] by the manifest, the graph gives uint8/;
    expect(await device.warm()).toEqual([expect.stringMatching(text)]);
    const [failed] = await device.run(ref.id, [tileOf(stage!)]);
    expect(failed).toMatchObject({ ok: false, message: expect.stringContaining('by the manifest') });
    expect(await device.run(sound!.ref.id, [tileOf(sound!)])).toMatchObject([{ ok: true }]);
    await device.close();
  });

  it('never falls back from an explicit choice', async () => {
    // TensorRT is not available: npm does not ship its provider.
    await expect(start([stage!], 'tensorrt')).rejects.toThrow(
      /does not run on tensorrt: .*Install what INFERENCE_DEVICE=tensorrt needs, or choose another device/s,
    );
  });
});

describe('a device thread that dies', () => {
  const dying = (stages: readonly DeviceStage[], deaths: DeviceLostError[]): Promise<Device> =>
    Device.start(
      { device: 'cpu', threads: 1, streams: 1, largestBatch: null, stages },
      { onDeath: (error) => deaths.push(error) },
    );

  it('rejects current and later runs, and reports its death once', async () => {
    const deaths: DeviceLostError[] = [];
    const stages = stagesOf('upscale');
    const device = await dying(stages, deaths);
    // The thread throws between two runs: ending it during a run would abort this process.
    device['worker'].postMessage(
      { kind: 'run', ticket: 0, stageId: stages[0]!.ref.id, items: null, returned: [] },
      [],
    );
    const running = device.run(stages[0]!.ref.id, [tileOf(stages[0]!)]);
    await expect(running).rejects.toThrow('The device thread is gone');
    await expect(device.run(stages[0]!.ref.id, [])).rejects.toThrow('The device thread is gone');
    await device.close();
    expect(deaths).toHaveLength(1);
  });

  it('is given up when a run does not end in time', async () => {
    const deaths: DeviceLostError[] = [];
    const [stage] = deviceStages({ routes: () => [catalog.route('upscale', 'high')!] });
    const device = await Device.start(
      { device: 'cpu', threads: 1, streams: 1, stages: [stage!], runTimeoutMs: 10 },
      { onDeath: (error) => deaths.push(error) },
    );
    const late = `a run of the stage ${stage!.ref.id} takes longer than 10 ms`;
    await expect(device.run(stage!.ref.id, [tileOf(stage!)])).rejects.toThrow(late);
    expect(device.isLost).toBe(true);
    expect(deaths).toEqual([expect.objectContaining({ name: 'DeviceLostError' })]);
    // The run itself ends later, and the thread must not outlast this spec.
    const ended = new Promise((resolve) => device['worker'].once('exit', resolve));
    device['worker'].postMessage({ kind: 'close' }, []);
    expect(await ended).toBe(0);
  });

  it('is not reported as dead when it was closed', async () => {
    const deaths: DeviceLostError[] = [];
    const stages = stagesOf('upscale').slice(0, 1);
    const device = await dying(stages, deaths);
    await device.close();
    await device.close();
    expect(deaths).toEqual([]);
    await expect(device.run(stages[0]!.ref.id, [])).rejects.toThrow('The device thread is gone');
  });
});
