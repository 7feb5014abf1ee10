import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeEsrganSlim } from '../../src/cli/models/esrgan-slim.js';
import { loadCatalog } from '../../src/models/repository/load-catalog.js';
import type { ModelRoute } from '../../src/models/manifest/model-route.js';
import type { RawImage } from '../../src/kernel/pixels.js';
import { Enhancer } from '../../src/inference/enhancer.js';

/** A gradient with an edge, a fine pattern and a sloping alpha. */
function picture(width: number, height: number, channels: 3 | 4): RawImage {
  const data = new Uint8Array(width * height * channels);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const base = x > y ? 190 : 60;
    const pixel = [base + ((x * 5 + y * 3) % 16), base - 20, 90 + (x % 64), (255 * y) / height];
    for (let channel = 0; channel < channels; channel++) data[at * channels + channel] = pixel[channel]!;
  }
  return { data, width, height, channels };
}

const largestDifference = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((largest, value, index) => Math.max(largest, Math.abs(value - b[index]!)), 0);

const start = (routes: readonly ModelRoute[]): Promise<Enhancer> =>
  Enhancer.start({
    catalog: { routes: () => routes },
    device: 'cpu',
    threads: 1,
    largestBatch: 2,
    onDeath: (error) => {
      throw error;
    },
  });

describe('the tensorflow engine with the published ESRGAN Slim', () => {
  let modelsDir: string;
  let routes: readonly ModelRoute[];
  const enhancers: Enhancer[] = [];

  beforeAll(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), 'ies-esrgan-'));
    const folder = join(modelsDir, 'upscale', '1');
    await mkdir(folder, { recursive: true });
    await writeEsrganSlim(folder);
    const catalog = await loadCatalog(modelsDir);
    expect(catalog.refusals).toEqual([]);
    routes = (['medium', 'high'] as const).map((level) => catalog.route('upscale', level)!);
    for (const tile of [96, 32]) {
      const sized = routes.map((route) => ({ ...route, render: { ...route.render, tile } }));
      enhancers.push(await start(sized));
      if (tile === 96) routes = sized;
    }
  });
  afterAll(async () => {
    await Promise.all(enhancers.map((enhancer) => enhancer.close()));
    await rm(modelsDir, { recursive: true, force: true });
  });

  it('reports the device that runs it', () => {
    expect(enhancers[0]!.deviceOf(routes[0]!)).toMatch(/^tensorflow-(cpu|wasm)$/);
  });

  it.each([
    [1, 1, 3],
    [17, 3, 4],
    [53, 41, 3],
    [33, 67, 4],
  ] as const)('%i × %i × %i: tiled equals untiled within 1 of 255', async (width, height, channels) => {
    const [whole, tiled] = enhancers;
    for (const route of routes) {
      const image = picture(width, height, channels);
      const expected = await whole!.render(route, image, null);
      const small = { ...route, render: { ...route.render, tile: 32 } };
      const result = await tiled!.render(small, image, null);
      expect([result.width, result.height, result.channels]).toEqual([
        width * route.scale,
        height * route.scale,
        channels,
      ]);
      expect(largestDifference(result.data, expected.data)).toBeLessThanOrEqual(1);
    }
  });

  it('upscales: the result, downscaled again, equals the source', async () => {
    const image = picture(48, 48, 4);
    const route = routes[0]!;
    const { data } = await enhancers[0]!.render(route, image, null);
    const mean = [0, 1, 2, 3].map((channel) => {
      let difference = 0;
      for (let y = 4; y < 44; y++)
        for (let x = 4; x < 44; x++) {
          const at = (dy: number, dx: number) => data[((2 * y + dy) * 96 + 2 * x + dx) * 4 + channel]!;
          const shrunk = (at(0, 0) + at(0, 1) + at(1, 0) + at(1, 1)) / 4;
          difference += Math.abs(shrunk - image.data[(y * 48 + x) * 4 + channel]!);
        }
      return difference / 1_600;
    });
    expect(Math.max(...mean)).toBeLessThan(8);
    expect(mean[3]).toBeLessThan(1);
  });

  it('uses no other GPU library when the user chose one', async () => {
    const starting = Enhancer.start({
      catalog: { routes: () => routes },
      device: 'webgpu',
      threads: 1,
      onDeath: () => undefined,
    });
    await expect(starting).rejects.toThrow(/TensorFlow\.js does not run on webgpu .*choose the device cpu/);
  });

  it('refuses a version with a weight file that does not match the manifest', async () => {
    const shard = join(modelsDir, 'upscale', '1', 'x4-group1-shard1of1.bin');
    const bytes = await readFile(shard);
    await writeFile(
      shard,
      bytes.map((byte, index) => (index === 5_000 ? byte ^ 1 : byte)),
    );
    const catalog = await loadCatalog(modelsDir);
    await writeFile(shard, bytes);
    expect(catalog.operations()).toEqual([]);
    expect(catalog.refusals[0]?.message).toMatch(/x4-group1-shard1of1\.bin of stage x4 has sha256/);
  });
});
