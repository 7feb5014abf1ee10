import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HARD_CASES } from '../../src/cli/models/sheet/hard-cases.js';
import { drawnBackground } from '../../tools/eval/drawn-backgrounds.js';
import { enhanced } from '../../src/models/check/enhanced.js';
import { loadCatalog } from '../../src/models/repository/load-catalog.js';
import type { ModelRoute } from '../../src/models/manifest/model-route.js';
import { Enhancer } from '../../src/inference/enhancer.js';
import { decodeImage } from '../../src/infra/image/codec/decode.js';
import { LEVELS } from '../../src/kernel/operations.js';
import type { RawImage } from '../../src/kernel/pixels.js';

type Painter = (x: number, y: number, random: () => number) => readonly [number, number, number];

const EDGE = 240;

const gray = (value: number): readonly [number, number, number] => [value, value, value];

/** Empty backgrounds. */
const BACKGROUNDS: Readonly<Record<string, Painter>> = {
  'pure black': () => gray(0),
  'pure white': () => gray(255),
  'a painted wall': () => [176, 190, 160],
  'a wall lit from one side': (x) => [90 + x / 3, 80 + x / 3, 70 + x / 3],
  'a wall with a vignette': (x, y) => gray(210 - Math.hypot(x - EDGE / 2, y - EDGE / 2) / 2),
  plaster: (_x, _y, random) => gray(200 + 12 * (random() - 0.5)),
  'gray noise': (_x, _y, random) => gray(255 * random()),
  'colored noise': (_x, _y, random) => [255 * random(), 255 * random(), 255 * random()],
  stripes: (x) => (x % 24 < 12 ? [200, 60, 60] : [230, 220, 200]),
  checks: (x, y) => gray((Math.floor(x / 20) + Math.floor(y / 20)) % 2 === 0 ? 70 : 180),
  waves: (x, y) => [90 + 40 * Math.sin(x / 9 + Math.sin(y / 14)), 110, 140 + 40 * Math.sin(y / 6)],
  bricks: (x, y) =>
    y % 20 < 2 || (x + (Math.floor(y / 20) % 2) * 24) % 48 < 2 ? [190, 185, 175] : [150, 70, 50],
};

/** The rules that draw these pages differ from those in training. */
const PICTURES: Readonly<Record<string, () => RawImage>> = {
  ...Object.fromEntries(Object.entries(BACKGROUNDS).map(([name, painter]) => [name, () => painted(painter)])),
  'rows of strokes, half of them light on dark': HARD_CASES['text']!,
  'rings and rays': HARD_CASES['line art']!,
  'a page of large letters': () => drawnBackground(19),
  'a page of letters, light on dark': () => drawnBackground(29),
};

describe('bg_remove with the committed weights', () => {
  let enhancer: Enhancer;
  let routes: Readonly<Record<string, ModelRoute>>;

  beforeAll(async () => {
    const catalog = await loadCatalog('models');
    const onDeath = (error: Error): void => {
      throw error;
    };
    enhancer = await Enhancer.start({ catalog, device: 'cpu', threads: 0, onDeath });
    routes = Object.fromEntries(LEVELS.map((level) => [level, catalog.route('bg_remove', level)!]));
  });
  afterAll(() => enhancer?.close());

  it.each(Object.keys(PICTURES))('finds no subject in %s', async (name) => {
    for (const level of LEVELS) {
      await expect(enhanced(enhancer, routes[level]!, PICTURES[name]!()), level).rejects.toMatchObject({
        code: 'no_subject_found',
      });
    }
  });

  it('finds the astronaut', async () => {
    const photo = await decodeImage('scripts/assets/astronaut.png', { maxPixels: 1e7 });
    for (const level of LEVELS) {
      const { channels, data } = await enhanced(enhancer, routes[level]!, photo);
      expect(channels).toBe(4);
      const middle = (photo.height >> 1) * photo.width + Math.round(photo.width * 0.45);
      expect(data[middle * 4 + 3], level).toBeGreaterThan(200);
    }
  });
});

/** Deterministic, including the noise. */
function painted(painter: Painter): RawImage {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const data = Buffer.alloc(EDGE * EDGE * 3);
  for (let pixel = 0; pixel < EDGE * EDGE; pixel++) {
    const color = painter(pixel % EDGE, Math.floor(pixel / EDGE), random);
    color.forEach((value, channel) => (data[pixel * 3 + channel] = Math.max(0, Math.min(255, value))));
  }
  return { width: EDGE, height: EDGE, channels: 3, data };
}
