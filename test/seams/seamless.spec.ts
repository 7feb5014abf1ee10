import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/models/repository/load-catalog.js';
import type { ModelRoute } from '../../src/models/manifest/model-route.js';
import { Enhancer } from '../../src/inference/enhancer.js';
import { InMemorySource } from '../../src/inference/in-memory-pixels.js';
import { smallestTile } from '../../src/inference/tiling/fitting-tile.js';
import { analysisImage } from '../../src/infra/image/codec/analysis-image.js';
import { decodeImage } from '../../src/infra/image/codec/decode.js';
import type { RawImage } from '../../src/kernel/pixels.js';
import { deepPng, drawRaw, grayImage } from '../support/images/images.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../models'));
const routes = catalog.routes();
const LIMITS = { maxPixels: 1_000_000 };

/** Every image here fits into one tile of this size. */
const WHOLE_TILE = 264;
/** The untiled run sees this much beyond the halo, so a halo too small at the image border shows, too. */
const MORE_HALO = 24;

const withRender = (route: ModelRoute, render: Partial<ModelRoute['render']>): ModelRoute => ({
  ...route,
  render: { ...route.render, ...render },
});

/** Runs the same graph once over a whole image, which its border pixels extend. */
function untiledOf(route: ModelRoute, image?: RawImage): ModelRoute {
  const tile = image === undefined ? WHOLE_TILE : Math.ceil(Math.max(32, image.width, image.height) / 8) * 8;
  return withRender(route, { tile, halo: route.render.halo + MORE_HALO });
}

/** The smallest tiles that a CPU uses, for which small images have many seams. */
const inSmallTiles = (route: ModelRoute): ModelRoute =>
  withRender(route, { tile: smallestTile(route.render) });

const photo = await decodeImage(await readFile('scripts/assets/astronaut.png'), LIMITS);

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
  const part = await cropped(photo, 140, 60, width, height);
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

interface Picture {
  readonly image: RawImage;
  readonly route: ModelRoute;
}

/** Sizes that tiling often gets wrong. */
const small: Readonly<Record<string, RawImage>> = {
  '1×1': await photoPart(1, 1, 3),
  '17×3': await photoPart(17, 3, 3),
  '3×17 with alpha': await photoPart(3, 17, 4),
  primes: await photoPart(131, 71, 3),
  gray: await decodeImage(await grayImage(73, 31, 'png'), LIMITS),
  dark: await dimPart(89, 37),
  '16 bits with alpha': await decodeImage(await deepPng(13, 73, 4), LIMITS),
};

async function picturesOf(route: ModelRoute): Promise<Readonly<Record<string, Picture>>> {
  const { tile } = route.render;
  const inTiles = (image: RawImage): Picture => ({ image, route: inSmallTiles(route) });
  // The others with the same graphs differ only in strength.
  if (!distinct.includes(route)) return { primes: inTiles(small['primes']!) };
  const large = await photoPart(tile + 1, tile + 1, 4);
  return {
    ...Object.fromEntries(Object.entries(small).map(([name, image]) => [name, inTiles(image)])),
    'tile + 1 with alpha': { image: large, route },
  };
}

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
  for (let index = 0; index < a.data.length; index++) {
    const difference = Math.abs(a.data[index]! - b.data[index]!);
    if (difference > largest && !isHidden(index)) largest = difference;
  }
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

/** The routes of the highest strength for each pair of graphs. */
const distinct = [
  ...new Map(routes.map((route) => [`${route.analyse?.id} ${route.render.id}`, route])).values(),
];

describe('a tiled result and the untiled one', () => {
  let tiled: Enhancer;
  let untiled: Enhancer;
  beforeAll(async () => {
    [tiled, untiled] = await Promise.all([
      start(routes),
      start(
        routes.map((route) => untiledOf(route)),
        false,
      ),
    ]);
  });
  afterAll(() => Promise.all([tiled?.close(), untiled?.close()]));

  const named = (chosen: readonly ModelRoute[]) =>
    chosen.map((route) => ({ name: `${route.operation}, ${route.level}`, route }));
  const haloed = named(distinct.filter(({ render }) => render.halo > 0));
  const mapped = named(distinct.filter(({ analyse }) => analyse !== null));

  it.each(named(routes))('are equal: $name', async ({ route: served }) => {
    const { scale, producesAlpha } = served.render;
    for (const [name, { image, route }] of Object.entries(await picturesOf(served))) {
      const result = await enhance(tiled, route, image);
      expect(result, name).toMatchObject({
        width: image.width * scale,
        height: image.height * scale,
        channels: producesAlpha ? 4 : image.channels,
      });
      const reference = await enhance(untiled, untiledOf(route, image), image);
      const { largest, count } = differenceOf(result, reference, producesAlpha);
      expect(largest, name).toBeLessThanOrEqual(1);
      expect(count, name).toBe(result.width * result.height * result.channels);
    }
  });

  // Deliberately broken routes prove that the comparison detects them.
  it.each(haloed)('differ when the halo is too small: $name', async ({ route }) => {
    const { render } = inSmallTiles(route);
    // A device accepts only tiles that are larger than the halos of their stage.
    const tile = Math.max(render.tile, 2 * render.halo + 8);
    const broken = withRender(route, { halo: 0, tile });
    const size = [2 * tile - 11, tile - 3] as const;
    // Some graphs look at neighboring pixels only where there is noise to remove.
    const images = [await photoPart(...size, 3), drawRaw(...size), await dimPart(...size)];
    let largest = 0;
    for (const image of images) {
      if (largest > 1) break;
      const result = await enhance(tiled, broken, image);
      ({ largest } = differenceOf(result, await enhance(untiled, untiledOf(route, image), image)));
    }
    expect(largest).toBeGreaterThan(1);
  });

  it.each(mapped)('differ when tiles do not know their position in the image: $name', async ({ route }) => {
    let largest = 0;
    for (const image of [await photoPart(120, 80, 3), await halfDark(120, 80)]) {
      if (largest > 1) break;
      const part = await cropped(image, 60, 40, 60, 40);
      const inPlace = await cropped(await enhance(tiled, route, image), 60, 40, 60, 40);
      ({ largest } = differenceOf(await enhance(tiled, route, part, image), inPlace));
    }
    expect(largest).toBeGreaterThan(1);
  });
});
