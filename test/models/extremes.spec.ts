import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enhanced } from '../../src/models/check/enhanced.js';
import { loadCatalog } from '../../src/models/repository/load-catalog.js';
import { Enhancer } from '../../src/inference/enhancer.js';
import { AppError } from '../../src/kernel/app-error.js';
import type { ModelRoute } from '../../src/models/manifest/model-route.js';
import type { RawImage } from '../../src/kernel/pixels.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../models'));
const routes = catalog.routes().map((route) => ({ route, name: `${route.operation}, ${route.level}` }));
const coloring = routes.filter(({ route }) => route.operation !== 'bg_remove');
const [WIDTH, HEIGHT] = [70, 50];

/** @param value of a position (x and y from 0 to 1), for all channels */
function gray(value: (x: number, y: number) => number, channels: 3 | 4 = 3): RawImage {
  const data = new Uint8Array(WIDTH * HEIGHT * channels);
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const [x, y] = [(at % WIDTH) / (WIDTH - 1), Math.floor(at / WIDTH) / (HEIGHT - 1)];
    data.fill(value(x, y), at * channels, (at + 1) * channels);
    if (channels === 4) data[at * 4 + 3] = 255 * x;
  }
  return { data, width: WIDTH, height: HEIGHT, channels };
}

function planeOf({ data, channels }: RawImage, channel: number): readonly number[] {
  return Array.from({ length: data.length / channels }, (_, at) => data[at * channels + channel]!);
}

/** The smallest and largest color values. */
function rangeOf(image: RawImage): readonly [number, number] {
  const values = [0, 1, 2].flatMap((channel) => planeOf(image, channel));
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
}

/** NaN becomes 0 as a byte, so it would show as black holes in a uniform picture. */
describe('uniform, gray and transparent pictures', () => {
  let enhancer: Enhancer;
  beforeAll(async () => {
    enhancer = await Enhancer.start({
      catalog: { routes: () => routes.map(({ route }) => route) },
      device: 'cpu',
      threads: 2,
      onDeath: (error) => {
        throw error;
      },
    });
  });
  afterAll(() => enhancer?.close());
  const render = (route: ModelRoute, image: RawImage): Promise<RawImage> => enhanced(enhancer, route, image);

  it.each(coloring)('$name: black stays black, white stays white', async ({ route }) => {
    expect(
      rangeOf(
        await render(
          route,
          gray(() => 0),
        ),
      ),
    ).toEqual([0, 0]);
    const [darkest, lightest] = rangeOf(
      await render(
        route,
        gray(() => 255),
      ),
    );
    expect(darkest).toBeGreaterThanOrEqual(254);
    expect(lightest - darkest).toBeLessThanOrEqual(1);
  });

  it.each(coloring)('$name: a uniform gray stays uniform', async ({ route }) => {
    for (const value of [1, 60, 128, 200, 254]) {
      const [darkest, lightest] = rangeOf(
        await render(
          route,
          gray(() => value),
        ),
      );
      expect(lightest - darkest).toBeLessThanOrEqual(2);
      if (route.operation !== 'auto_enhance') expect(Math.abs(darkest - value)).toBeLessThanOrEqual(1);
    }
  });

  it.each(coloring)('$name: a picture without colors stays without colors', async ({ route }) => {
    const soft = gray((x, y) => 255 * (0.1 + 0.8 * x) * (0.4 + 0.6 * y));
    const hard = gray((x, y) => (Math.floor(69.5 * x) % 3 === Math.floor(49.5 * y) % 3 ? 0 : 255));
    for (const image of [soft, hard]) {
      const result = await render(route, image);
      const [red, green, blue] = [0, 1, 2].map((channel) => planeOf(result, channel));
      const apart = red!.map((value, at) =>
        Math.max(Math.abs(value - green![at]!), Math.abs(value - blue![at]!)),
      );
      expect(apart.reduce((a, b) => Math.max(a, b))).toBeLessThanOrEqual(2);
    }
  });

  it.each(routes.filter(({ route }) => route.operation === 'auto_enhance'))(
    '$name: the white of paper and of product backgrounds stays white',
    async ({ route }) => {
      const grounds: readonly ((x: number, y: number) => boolean)[] = [
        (x, y) => Math.floor(12 * x) % 4 > 0 || Math.floor(10 * y) % 2 > 0,
        (x, y) => Math.hypot(x - 0.5, y - 0.6) > 0.3,
      ];
      for (const isGround of grounds) {
        const image = gray((x, y) => (isGround(x, y) ? 255 : 40 + 80 * y));
        const red = planeOf(await render(route, image), 0);
        const ground = red.filter((_, at) => image.data[at * 3] === 255);
        expect(ground.reduce((a, b) => Math.min(a, b))).toBeGreaterThanOrEqual(248);
      }
    },
  );

  it.each(routes.filter(({ route }) => route.operation === 'upscale'))(
    '$name: a hard edge gets no halo',
    async ({ route }) => {
      const [dark, light] = [90, 165];
      const image = gray((x, y) => (Math.hypot(7 * (x - 0.5), 5 * (y - 0.5)) < 1.7 ? dark : light));
      const [darkest, lightest] = rangeOf(await render(route, image));
      // Bicubic overshoots by 10.
      expect(dark - darkest).toBeLessThanOrEqual(20);
      expect(lightest - light).toBeLessThanOrEqual(20);
    },
  );

  it.each(coloring.filter(({ route }) => route.scale === 1))(
    '$name: alpha stays unchanged',
    async ({ route }) => {
      const image = gray((x, y) => 255 * x * y, 4);
      const result = await render(route, image);
      expect(result.channels).toBe(4);
      expect(planeOf(result, 3)).toEqual(planeOf(image, 3));
    },
  );

  it.each(routes.filter(({ route }) => route.operation === 'smooth_skin'))(
    '$name: nothing changes where there is no skin',
    async ({ route }) => {
      const image = gray((x, y) => 128 + 100 * Math.sin(40 * x) * Math.cos(30 * y));
      expect((await render(route, image)).data).toEqual(image.data);
    },
  );

  it.each(routes.filter(({ route }) => route.operation === 'bg_remove'))(
    '$name: a uniform picture is refused, or cut out with an alpha never above that of the source',
    async ({ route }) => {
      const image = gray(() => 128, 4);
      const result = await render(route, image).catch((error: unknown) => error);
      if (result instanceof AppError) {
        expect(result.code).toBe('no_subject_found');
        return;
      }
      const { channels } = result as RawImage;
      expect(channels).toBe(4);
      const source = planeOf(image, 3);
      expect(planeOf(result as RawImage, 3).every((value, at) => value <= source[at]!)).toBe(true);
    },
  );
});
