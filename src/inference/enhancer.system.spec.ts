import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../models/repository/load-catalog.js';
import type { ModelRoute } from '../models/manifest/model-route.js';
import type { RawImage } from '../kernel/pixels.js';
import { Enhancer } from './enhancer.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../models'));

/** Computes every tile: `skipped-tiles.system.spec.ts` shows that skipped tiles look the same. */
function withTile(route: ModelRoute, tile: number): ModelRoute {
  const { skipWhereZero: _, ...render } = route.render;
  return { ...route, render: { ...render, tile } };
}

/** Every distinct pair of stages, with another tile size, which must not affect the graphs. */
function routesWithTile(tile: number): ModelRoute[] {
  const distinct = new Map(
    catalog.routes().map((route) => [`${route.analyse?.id ?? 'nothing'} → ${route.render.id}`, route]),
  );
  return [...distinct.values()].map((route) => withTile(route, tile));
}

const tiled = routesWithTile(32);
const untiled = routesWithTile(160);

/** A disc on a gradient with a fine pattern and a sloping alpha: smooth areas, an edge, and texture. */
function picture(width: number, height: number, channels: 3 | 4): RawImage {
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [(x + 0.5) / width, (y + 0.5) / height];
      const disc = Math.hypot(u - 0.5, v - 0.5) < 0.3;
      const pattern = ((x * 7 + y * 13) % 16) - 8;
      const color = disc ? [205, 150 + 40 * u, 125] : [40 + 90 * u, 60 + 60 * v, 130 - 40 * u];
      const pixel = [...color.map((value) => value + pattern), 255 * v];
      for (let channel = 0; channel < channels; channel++)
        data[(y * width + x) * channels + channel] = pixel[channel]!;
    }
  }
  return { data, width, height, channels };
}

function solid(width: number, height: number, color: readonly [number, number, number]): RawImage {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, index) => color[index % 3]!);
  return { data, width, height, channels: 3 };
}

const largestDifference = (a: RawImage, b: RawImage): number =>
  a.data.reduce((largest, value, index) => Math.max(largest, Math.abs(value - b.data[index]!)), 0);

async function enhance(
  enhancer: Enhancer,
  route: ModelRoute,
  image: RawImage,
  whole?: RawImage,
): Promise<RawImage> {
  const size = route.analyse?.size;
  const analysis = size === undefined ? null : await enhancer.analyse(route, whole ?? picture(size, size, 3));
  return enhancer.render(route, image, analysis);
}

const start = (routes: readonly ModelRoute[], largestBatch?: number): Promise<Enhancer> =>
  Enhancer.start({
    catalog: { routes: () => routes },
    device: 'cpu',
    // Otherwise each enhancer chooses by run time, and the choices may differ on a busy machine.
    precision: 'float32',
    threads: 0,
    ...(largestBatch !== undefined && { largestBatch }),
    onDeath: (error) => {
      throw error;
    },
  });

/** A solid color contains no subject, which must only matter to stages that look for one. */
function withoutSubject(route: ModelRoute): ModelRoute {
  if (route.analyse === null) return route;
  const { noSubject: _, ...analyse } = route.analyse;
  return { ...route, analyse };
}

describe('Enhancer over the committed models', () => {
  let whole: Enhancer;
  /** Uses batches of several items, which the CPU does not use by default. */
  let pieces: Enhancer;

  beforeAll(async () => {
    [whole, pieces] = await Promise.all([start(untiled), start(tiled, 4)]);
  });

  afterAll(async () => {
    await Promise.all([whole.close(), pieces.close()]);
  });

  const named = tiled.map((route, index) => ({
    name: route.render.id,
    route,
    untiledRoute: untiled[index]!,
  }));

  it.each(named)(
    '$name gives the same result in tiles as in one piece, at the exact size',
    async ({ route, untiledRoute }) => {
      for (const [width, height] of [
        [1, 1],
        [17, 3],
        [33, 33],
        [97, 131],
      ] as const) {
        for (const channels of [3, 4] as const) {
          const image = picture(width, height, channels);
          const [inTiles, inOne] = await Promise.all([
            enhance(pieces, route, image),
            enhance(whole, untiledRoute, image),
          ]);
          const expected = [width * route.scale, height * route.scale, route.producesAlpha ? 4 : channels];
          expect([inTiles.width, inTiles.height, inTiles.channels]).toEqual(expected);
          expect(inTiles.data).toHaveLength(expected.reduce((product, value) => product * value));
          const where = `${width}×${height}×${channels}`;
          expect(largestDifference(inTiles, inOne), where).toBeLessThanOrEqual(1);
        }
      }
    },
    120_000,
  );

  it.each(named)('$name does not mix up two concurrent jobs', async (each) => {
    const route = withoutSubject(each.route);
    const jobs = [solid(70, 50, [230, 40, 30]), solid(40, 90, [20, 60, 220])];
    const size = route.analyse?.size ?? 1;
    const wholes = [solid(size, size, [230, 40, 30]), solid(size, size, [20, 60, 220])];
    const alone = [
      await enhance(pieces, route, jobs[0]!, wholes[0]),
      await enhance(pieces, route, jobs[1]!, wholes[1]),
    ];
    const together = await Promise.all(jobs.map((job, index) => enhance(pieces, route, job, wholes[index])));
    together.forEach((result, index) =>
      expect(largestDifference(result, alone[index]!)).toBeLessThanOrEqual(1),
    );
    expect(alone[0]!.data).not.toEqual(alone[1]!.data.subarray(0, alone[0]!.data.length));
  });

  const upscale = tiled.find(({ operation }) => operation === 'upscale')!;
  const analysed = tiled.find(({ operation }) => operation === 'auto_enhance')!;

  it('does not change the source', async () => {
    const image = picture(40, 40, 3);
    await enhance(pieces, upscale, image);
    expect(image.data).toEqual(picture(40, 40, 3).data);
  });

  it('reports progress once for each tile, rising to 1', async () => {
    const fractions: number[] = [];
    await pieces.render(upscale, picture(70, 40, 3), null, { onProgress: (part) => fractions.push(part) });
    expect(fractions).toEqual([1, 2, 3, 4, 5, 6].map((done) => done / 6));
  });

  it('leaves the event loop free while it renders', async () => {
    // One tile is one run, which blocks its thread; the timer here must keep running.
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await whole.render(
      untiled.find(({ scale }) => scale === 4)!,
      picture(8, 8, 3),
      null,
    );
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
  });

  it('stops at the next tile when it is aborted, and serves later jobs', async () => {
    const abort = new AbortController();
    let done = 0;
    const onProgress = (): void => {
      done++;
      abort.abort(new Error('canceled by test'));
    };
    const image = picture(320, 320, 3);
    const rendering = pieces.render(upscale, image, null, { signal: abort.signal, onProgress });
    await expect(rendering).rejects.toThrow('canceled by test');
    expect(done).toBe(1);
    await expect(pieces.render(upscale, image, null, { signal: abort.signal })).rejects.toThrow(
      'canceled by test',
    );
    expect((await enhance(pieces, upscale, picture(8, 8, 3))).width).toBe(16);
  });

  it('refuses an analysis that was used, belongs to another route, or is missing', async () => {
    const size = analysed.analyse!.size;
    const analysis = await pieces.analyse(analysed, picture(size, size, 3));
    const image = picture(8, 8, 3);
    await expect(pieces.render(analysed, image, null)).rejects.toThrow(/needs an analysis by auto_enhance/);
    await pieces.render(analysed, image, analysis);
    await expect(pieces.render(analysed, image, analysis)).rejects.toThrow('An analysis serves one render');
    const another = await pieces.analyse(analysed, picture(size, size, 3));
    await expect(pieces.render(upscale, image, another)).rejects.toThrow(/needs an analysis by nothing/);
    await expect(pieces.render(analysed, image, another)).rejects.toThrow('An analysis serves one render');
  });

  it('analyzes only images of the size that the stage expects', async () => {
    await expect(pieces.analyse(analysed, picture(8, 8, 3))).rejects.toThrow(/analyses \d+×\d+×3, not 8×8×3/);
    await expect(pieces.analyse(upscale, picture(8, 8, 3))).rejects.toThrow('has no analyse stage');
  });
});

describe('Enhancer with a stage that may find no subject', () => {
  it('fails with no_subject_found below the threshold, and only there', async () => {
    const route = tiled.find(({ operation }) => operation === 'auto_enhance');
    const { analyse } = route!;
    const output = Object.keys(analyse!.outputs)[0]!;
    const judged = (below: number): ModelRoute => ({
      ...route!,
      analyse: { ...analyse!, noSubject: { output, below } },
    });
    const image = picture(analyse!.size, analyse!.size, 3);
    const enhancer = await start([judged(0)]);
    await expect(enhancer.analyse(judged(Infinity), image)).rejects.toMatchObject({
      code: 'no_subject_found',
    });
    await expect(enhancer.analyse(judged(-Infinity), image)).resolves.toBeDefined();
    await enhancer.close();
    await expect(enhancer.analyse(route!, image)).rejects.toThrow('The enhancer is closed.');
  });
});
