import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Enhancer } from '../../src/inference/enhancer.js';
import { InMemorySink, InMemorySource } from '../../src/inference/in-memory-pixels.js';
import { renderedShape } from '../../src/inference/render-job.js';
import { enlargeable } from '../../src/infra/image/transparency/alpha-bleed-source.js';
import type { RawImage } from '../../src/kernel/pixels.js';
import { loadCatalog } from '../../src/models/repository/load-catalog.js';
import type { ModelRoute } from '../../src/models/manifest/model-route.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../models'));
const routes = catalog.routes().filter(({ operation }) => operation === 'upscale');
const named = routes.map((route) => ({ route, name: `${route.level}, ×${route.scale}` }));
const SIZE = 64;

type Color = readonly [number, number, number];
type AlphaAt = (x: number, y: number) => number;

const SHAPES: Readonly<Record<string, AlphaAt>> = {
  'a hard edge': (x) => (x < 32 ? 255 : 0),
  'an edge with one pixel between': (x) => (x < 32 ? 255 : x === 32 ? 128 : 0),
  'a hair': (x) => (x === 32 ? 160 : 0),
  'a disk': (x, y) => Math.max(0, Math.min(255, (20 - Math.hypot(x - 32, y - 32)) * 255)),
};

const subjectAt = (x: number, y: number): Color => [230 - x, 190 - y, 150];

/** @param hidden the color of transparent pixels; default: that which the subject would have there */
function cutout(alphaAt: AlphaAt, hidden?: Color): RawImage {
  const data = new Uint8Array(SIZE * SIZE * 4);
  for (let y = 0, at = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++, at += 4) {
      const alpha = alphaAt(x, y);
      data.set([...((alpha === 0 && hidden) || subjectAt(x, y)), alpha], at);
    }
  return { data, width: SIZE, height: SIZE, channels: 4 };
}

/** Colors over white. */
function overWhite({ data }: RawImage): number[] {
  const channel = (at: number, c: number): number => 255 - ((255 - data[at + c]!) * data[at + 3]!) / 255;
  return Array.from({ length: data.length / 4 }, (_, pixel) =>
    [0, 1, 2].map((c) => channel(pixel * 4, c)),
  ).flat();
}

describe('an enlarged cutout', () => {
  let enhancer: Enhancer;
  beforeAll(async () => {
    enhancer = await Enhancer.start({
      catalog: { routes: () => routes },
      device: 'cpu',
      threads: 2,
      precision: 'float32',
      onDeath: (error) => {
        throw error;
      },
    });
  });
  afterAll(() => enhancer?.close());

  async function upscaled(route: ModelRoute, image: RawImage): Promise<RawImage> {
    const target = new InMemorySink(renderedShape(route, image));
    const source = enlargeable(new InMemorySource(image), route.scale);
    await enhancer.renderTo(route, { source, target }, null);
    return target.image;
  }

  it.each(named)('has no rim in the color of transparent pixels: $name', async ({ route }) => {
    for (const [shape, alphaAt] of Object.entries(SHAPES)) {
      const expected = overWhite(await upscaled(route, cutout(alphaAt)));
      for (const hidden of [
        [0, 0, 0],
        [20, 40, 220],
      ] as const) {
        const made = overWhite(await upscaled(route, cutout(alphaAt, hidden)));
        const largest = made.reduce((most, value, at) => Math.max(most, Math.abs(value - expected[at]!)), 0);
        expect(largest, `${shape} ${hidden.join(',')}`).toBeLessThanOrEqual(4);
      }
    }
  });
});
