import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/models/repository/load-catalog.js';
import type { ModelRoute } from '../../src/models/manifest/model-route.js';
import { Enhancer } from '../../src/inference/enhancer.js';
import { InMemorySource } from '../../src/inference/in-memory-pixels.js';
import { analysisImage } from '../../src/infra/image/codec/analysis-image.js';
import { decodeImage } from '../../src/infra/image/codec/decode.js';
import type { RawImage } from '../../src/kernel/pixels.js';
import { deepPng, drawRaw, grayImage } from '../support/images/images.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../models'));
const routes = catalog.routes();
const LIMITS = { maxPixels: 1_000_000 };

/** Every image here fits into one tile of these sizes, so nothing is tiled. */
const WHOLE_TILES = [32, 320] as const;
/** The untiled run sees this much beyond the halo, so a halo too small at the image border shows, too. */
const MORE_HALO = 24;

const withRender = (route: ModelRoute, render: Partial<ModelRoute['render']>): ModelRoute => ({
  ...route,
  render: { ...route.render, ...render },
});

/** Runs the same graph once over the whole image, which its border pixels extend. */
function untiledOf(route: ModelRoute, tile: (typeof WHOLE_TILES)[number]): ModelRoute {
  const id = `${route.render.id} of ${tile}`;
  return withRender(route, { id, tile, halo: route.render.halo + MORE_HALO });
}

const wholeTile = ({ width, height }: RawImage): (typeof WHOLE_TILES)[number] =>
  Math.max(width, height) <= WHOLE_TILES[0] ? WHOLE_TILES[0] : WHOLE_TILES[1];

async function cropped(
  image: RawImage,
  x: number,
  y: number,
  width: number,
  height: number,
): Promise<RawImage> {
  const data = new Uint8Array(width * height * image.channels);
  await new InMemorySource(image).read({ x, y, width, height }, data);
  return { data, width, height, channels: image.channels };
}

/** A part of the demo photo: skin, hair, the edge of a helmet, a flag. */
async function photoPart(width: number, height: number, channels: 3 | 4): Promise<RawImage> {
  const photo = await decodeImage(await readFile('scripts/assets/astronaut.png'), LIMITS);
  const part = await cropped(photo, 100, 20, width, height);
  if (channels === 3) return part;
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    data.set(part.data.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
    // Opaque, clear and everything between, with edges.
    data[pixel * 4 + 3] = (pixel % width) % 64 < 8 ? 0 : 255 - Math.floor((pixel / width) % 256);
  }
  return { data, width, height, channels: 4 };
}

/** A phone photo taken in the dark: hardly any light, much noise. */
async function dimPart(width: number, height: number): Promise<RawImage> {
  const [part, grain] = [await photoPart(width, height, 3), drawRaw(width, height)];
  const data = part.data.map((value, index) => value / 10 + ((grain.data[index]! * 37) % 24));
  return { ...part, data };
}

/** A photo whose left half is dark, which is what a light map is for. */
async function halfDark(width: number, height: number): Promise<RawImage> {
  const part = await photoPart(width, height, 3);
  const data = part.data.map((value, index) =>
    Math.floor(index / 3) % width < width / 2 ? value / 8 : value,
  );
  return { ...part, data };
}

/** Sizes that tiling often gets wrong; `tile` is the tile size of the route. */
const pictures: Record<string, (tile: number) => Promise<RawImage>> = {
  '1×1': () => photoPart(1, 1, 3),
  '17×3': () => photoPart(17, 3, 3),
  '3×17 with alpha': () => photoPart(3, 17, 4),
  primes: () => photoPart(293, 211, 3),
  'tile + 1 with alpha': (tile) => photoPart(tile + 1, tile + 1, 4),
  gray: async () => decodeImage(await grayImage(269, 31, 'png'), LIMITS),
  dark: () => dimPart(293, 67),
  '16 bits with alpha': async () => decodeImage(await deepPng(13, 269, 4), LIMITS),
};

interface Difference {
  readonly largest: number;
  /** Bytes of the result. */
  readonly count: number;
}

/** @param isCutout ignores the color of transparent pixels: tiles without a subject are not computed */
function differenceOf(a: RawImage, b: RawImage, isCutout = false): Difference {
  expect([a.width, a.height, a.channels]).toEqual([b.width, b.height, b.channels]);
  const isHidden = (index: number): boolean => {
    const alphaAt = index - (index % 4) + 3;
    return isCutout && index !== alphaAt && a.data[alphaAt] === 0 && b.data[alphaAt] === 0;
  };
  let largest = 0;
  for (const [index, value] of a.data.entries())
    if (!isHidden(index)) largest = Math.max(largest, Math.abs(value - b.data[index]!));
  return { largest, count: a.data.length };
}

const start = (served: readonly ModelRoute[], fitsTiles = true): Promise<Enhancer> =>
  Enhancer.start({
    fitsTiles,
    catalog: { routes: () => served },
    device: 'cpu',
    threads: 0,
    // Otherwise each enhancer chooses its precision by run time, and the choices may differ on a busy machine.
    precision: 'float32',
    onDeath: (error) => {
      throw error;
    },
  });

async function enhance(
  enhancer: Enhancer,
  route: ModelRoute,
  image: RawImage,
  seen = image,
): Promise<RawImage> {
  const { analyse } = route;
  // What is found in the picture does not matter here: a graph that finds nothing goes on with what it has.
  const forgiving = analyse === null ? null : { ...analyse };
  if (forgiving !== null) delete forgiving.noSubject;
  const lenient = { ...route, analyse: forgiving };
  const analysis =
    forgiving === null ? null : await enhancer.analyse(lenient, await analysisImage(seen, forgiving.size));
  return enhancer.render(lenient, image, analysis);
}

describe('a tiled result equals the untiled one', () => {
  let tiled: Enhancer;
  let untiled: Enhancer;
  beforeAll(async () => {
    [tiled, untiled] = await Promise.all([
      start(routes),
      start(
        WHOLE_TILES.flatMap((tile) => routes.map((route) => untiledOf(route, tile))),
        false,
      ),
    ]);
  });
  afterAll(() => Promise.all([tiled?.close(), untiled?.close()]));

  const named = routes.map((route) => ({ name: `${route.operation}, ${route.level}`, route }));

  it.each(named)('$name', async ({ route }) => {
    const { tile, scale, producesAlpha } = route.render;
    for (const [name, make] of Object.entries(pictures)) {
      const image = await make(tile);
      const result = await enhance(tiled, route, image);
      expect(result, name).toMatchObject({
        width: image.width * scale,
        height: image.height * scale,
        channels: producesAlpha ? 4 : image.channels,
      });
      const reference = await enhance(untiled, untiledOf(route, wholeTile(image)), image);
      const { largest, count } = differenceOf(result, reference, producesAlpha);
      expect(largest, name).toBeLessThanOrEqual(1);
      expect(count, name).toBe(result.width * result.height * result.channels);
    }
  });
});

/** Runs the same comparison on deliberately broken routes, to prove that it detects them. */
describe('the comparison detects', () => {
  const distinct = [
    ...new Map(routes.map((route) => [`${route.analyse?.id} ${route.render.id}`, route])).values(),
  ];
  const haloed = distinct
    .filter(({ render }) => render.halo > 0)
    .map((route) => ({ name: route.render.id, route }));
  const mapped = distinct
    .filter(({ analyse }) => analyse !== null)
    .map((route) => ({ name: route.render.id, route }));

  it.each(haloed)('a halo of $name that is too small', async ({ route }) => {
    const small = withRender(route, { halo: 0, tile: 64 });
    const whole = untiledOf(route, WHOLE_TILES[1]);
    const [broken, untiled] = await Promise.all([start([small]), start([whole], false)]);
    let largest = 0;
    // Some graphs look at neighboring pixels only where there is noise to remove.
    for (const image of [await photoPart(199, 131, 3), drawRaw(199, 131), await dimPart(199, 131)]) {
      const results = [await enhance(broken, small, image), await enhance(untiled, whole, image)] as const;
      largest = Math.max(largest, differenceOf(...results).largest);
    }
    expect(largest).toBeGreaterThan(1);
    await Promise.all([broken.close(), untiled.close()]);
  });

  it.each(mapped)('a tile of $name that is rendered without its position in the image', async ({ route }) => {
    const enhancer = await start([route]);
    let largest = 0;
    for (const image of [await photoPart(240, 160, 3), await halfDark(240, 160)]) {
      const part = await cropped(image, 120, 80, 120, 80);
      const inPlace = await cropped(await enhance(enhancer, route, image), 120, 80, 120, 80);
      largest = Math.max(largest, differenceOf(await enhance(enhancer, route, part, image), inPlace).largest);
    }
    expect(largest).toBeGreaterThan(1);
    await enhancer.close();
  });
});
