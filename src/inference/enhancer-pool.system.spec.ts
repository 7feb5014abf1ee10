import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../models/repository/load-catalog.js';
import type { ModelRoute } from '../models/manifest/model-route.js';
import type { RawImage } from '../kernel/pixels.js';
import type { Enhancer } from './enhancer.js';
import { EnhancerPool } from './enhancer-pool.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../models'));
const route = catalog.route('auto_enhance', 'medium')!;

function start(devices: Parameters<typeof EnhancerPool.start>[0]['devices'], routes: readonly ModelRoute[]) {
  return EnhancerPool.start({
    catalog: { routes: () => routes },
    devices,
    threads: 0,
    onDeath: (error) => {
      throw error;
    },
  });
}

function picture(seed: number): RawImage {
  const data = Uint8Array.from({ length: 64 * 48 * 3 }, (_, index) => (index * (7 + seed) + seed * 31) % 256);
  return { data, width: 64, height: 48, channels: 3 };
}

async function enhance(enhancer: Enhancer, image: RawImage): Promise<RawImage> {
  const size = route.analyse!.size;
  const small: RawImage = {
    data: new Uint8Array(size * size * 3).fill(90),
    width: size,
    height: size,
    channels: 3,
  };
  return enhancer.render(route, image, await enhancer.analyse(route, small));
}

describe('EnhancerPool', () => {
  let pool: EnhancerPool;
  beforeAll(async () => {
    pool = await start([{ device: 'cpu' }, { device: 'cpu' }], [route]);
  });
  afterAll(() => pool.close());

  it('names every device', () => {
    expect(pool.device).toBe('cpu,cpu');
  });

  it('gives a job the device with the fewest jobs', () => {
    const first = pool.take();
    const second = pool.take();
    expect(second.enhancer).not.toBe(first.enhancer);
    const third = pool.take();
    expect(third.enhancer).toBe(first.enhancer);
    second.release();
    // Releasing twice must not free two places.
    second.release();
    const fourth = pool.take();
    expect(fourth.enhancer).toBe(second.enhancer);
    const fifth = pool.take();
    for (const { release } of [first, third, fourth, fifth]) release();
    expect(pool.take().enhancer).toBe(first.enhancer);
  });

  it('produces the same pixels on each device, even concurrently', async () => {
    const held = [pool.take(), pool.take()];
    const images = [1, 2, 3].map(picture);
    const [a, b] = await Promise.all(
      held.map(({ enhancer }) => Promise.all(images.map((image) => enhance(enhancer, image)))),
    );
    for (const { release } of held) release();
    a!.forEach((result, index) => expect(result).toEqual(b![index]));
    expect(a![0]).not.toEqual(a![1]);
  });

  it('does not start if one of the devices does not load', async () => {
    await expect(start([{ device: 'cpu' }, { device: 'tensorrt', index: 0 }], [route])).rejects.toThrow(
      /does not run on tensorrt:0/,
    );
  });
});
