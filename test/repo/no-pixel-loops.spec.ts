import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PixelLoops } from '../support/source/pixel-loops.js';

const ROOT = join(import.meta.dirname, '..', '..');
/** Folders that a job passes through. Tools (src/app) may loop: they measure and draw, but serve no jobs. */
const ON_THE_WAY = ['src/worker', 'src/inference', 'src/infra/image'];
const STRIPS = 'a strip of a cutout; `npm run bench -- finish` judges how long the event loop waits';
const SHADOW = 'a strip of a shadow run, which no job waits for';
/** Code that may read single elements there: none of them are the pixels of a job. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/infra/image/colors/avif-profile.ts: avifWithProfile': 'boxes of a container',
  'src/infra/image/colors/avif-profile.ts: boxesOf': 'likewise',
  'src/infra/image/colors/avif-profile.ts: link': 'likewise',
  'src/infra/image/colors/png-colors.ts: pngWithProfile': 'chunks of a container',
  'src/infra/image/colors/sequence-range.ts: read': 'at most 64 bytes of a header',
  'src/infra/image/colors/sequence-range.ts: sequenceHeaderIn': 'likewise',
  'src/infra/image/colors/wide-gamut.ts: fixed': 'a color profile of some hundred bytes',
  'src/infra/image/colors/wide-gamut.ts: wideProfile': 'likewise',
  'src/infra/image/containers/jpeg-frame.ts: readComponents': 'at most 255 components of a header',
  'src/infra/image/containers/tiff-directory.ts: tiffFrame': 'a color profile of some hundred bytes',
  'src/infra/image/containers/tiff-directory.ts: directoryOf': 'a dozen entries of a directory',
  'src/infra/image/containers/tiff-directory.ts: bytesOf': 'the values of such an entry',
  'src/infra/image/containers/walk-jpeg.ts: nextMarker':
    'compressed bytes of an upload, before there are pixels',
  'src/infra/image/containers/walk-jpeg.ts: pastFill': 'likewise',
  'src/infra/image/containers/walk-jpeg.ts: endOfFill': 'likewise',
  // Strip by strip, which is cheaper than the image library and does not block the event loop: decision 0176.
  'src/infra/image/finish/compose.ts: blendRow': STRIPS,
  'src/infra/image/finish/matte-picture.ts: asRgb': STRIPS,
  'src/infra/image/finish/matte-picture.ts: alphaOf': STRIPS,
  'src/infra/image/finish/matte-picture.ts: boundColumns': STRIPS,
  'src/infra/image/finish/matte-picture.ts: drawGradient': STRIPS,
  'src/infra/image/finish/matte-mask.ts: maskStrip': STRIPS,
  'src/infra/image/finish/matte.ts: clearTransparent': STRIPS,
  'src/infra/image/finish/matte.ts: readRow': STRIPS,
  'src/infra/image/finish/shadow-map.ts: readRow': STRIPS,
  'src/infra/image/finish/shadow-map.ts: reducedAlpha': STRIPS,
  'src/infra/image/finish/shadow-map.ts: withMargin': STRIPS,
  'src/infra/image/metadata/exif-fields.ts: long': 'fields of a header',
  'src/infra/image/metadata/exif-fields.ts: short': 'likewise',
  'src/infra/image/metadata/exif-fields.ts: signed': 'likewise',
  'src/infra/image/metadata/exif-fields.ts: value': 'likewise',
  'src/infra/image/metadata/iptc.ts: iptcBlock': 'likewise',
  'src/infra/image/metadata/iptc.ts: withIptc': 'likewise',
  'src/infra/image/test-picture/cutout.ts: cutStrip': 'a job of test mode, strip by strip',
  'src/infra/image/test-picture/mark-tile.ts: markTile': 'a small tile, once for each size of letters',
  'src/worker/comparison/picture-difference.ts: addColors': SHADOW,
  'src/worker/comparison/picture-difference.ts: addMattes': SHADOW,
  'src/inference/device/stages/finite-maps.ts: allFinite': 'a small map, once for each analysis',
  'src/inference/device/stages/skipped-tile.ts: isZeroWithin': 'cells of a small map, once for each tile',
  'src/inference/engines/half-probe.ts: computesHalf': 'four numbers, once for each device',
  'src/inference/engines/channels-last-probe.ts: runsChannelsLast': 'four numbers, once for each device',
  'src/inference/engines/tensorflow-engine.ts: refuseNaN': 'weights, once when a model is loaded',
};

const SETTING = `
declare const n: number, w: number, h: number, v: number;
declare const at: number;
declare const rgb: Uint8Array, floats: Float32Array, pixels: Uint8ClampedArray, bytes: Buffer;
declare const like: ArrayLike<number>, view: DataView, names: string[], numbers: number[];
declare const image: { data: Uint8Array }, tensor: { data: Float32Array | Int32Array | string[] };
declare const maybe: Uint8Array | undefined;
declare const untyped: any;
let sum: number;
`;

const FOUND: readonly (readonly [string, string])[] = [
  ['a loop over bytes', 'for (let i = 0; i < n; i++) floats[i] = rgb[i]! / 255;'],
  ['a loop that only writes', 'for (let i = 0; i < n; i++) floats[i] = 0;'],
  ['a loop that only reads', 'for (let i = 0; i < n; i++) sum += rgb[i]!;'],
  ['a computed index', 'for (let y = 0; y < h; y++) { const at = y * w; pixels[at + 1] = 0; }'],
  ['a loop over what has no type', 'for (let i = 0; i < n; i++) untyped[i] = 0;'],
  ['while', 'let i = 0; while (i < n) { bytes[i]! ^= 255; i += 4; }'],
  ['for of', 'for (const v of pixels) sum += v;'],
  ['for of with indices', 'for (const [i, v] of pixels.entries()) floats[i] = v;'],
  ['for in', 'for (const i in rgb) names.push(i);'],
  ['map', 'const half = pixels.map((value) => value / 2);'],
  ['forEach', 'bytes.forEach((value) => { sum += value; });'],
  ['reduce of a tensor', 'if (!Array.isArray(tensor.data)) sum = tensor.data.reduce((a, b) => a + b, 0);'],
  ['an optional visit', 'const isDark = maybe?.every((value) => value < 9);'],
  ['a visit that is bound', 'const visit = pixels.map.bind(pixels);'],
  ['a visit that is borrowed', 'Array.prototype.forEach.call(rgb, (value: number) => { sum += value; });'],
  ['indices of another array', 'numbers.forEach((i) => { floats[i] = rgb[i]! / 255; });'],
  ['a function of one pixel', 'const luma = (i: number): number => rgb[i]! * 0.3 + rgb[i + 1]! * 0.6;'],
  ['a helper for anything like an array', 'const last = (list: ArrayLike<number>, i: number) => list[i];'],
  ['a generic helper', 'function pick<T extends Uint8Array>(of: T, i: number) { return of[i]; }'],
  ['from with a function', 'const scaled = Float32Array.from(bytes, (value) => value / 255);'],
  ['from a length', 'const scaled = Float32Array.from({ length: n }, (_, i) => i / 255);'],
  ['an array of pixels', 'const list = Array.from(rgb);'],
  ['spreading', 'const most = Math.max(...rgb); '],
  ['spreading into an array', 'const list = [...image.data];'],
  ['Object.values', 'const list = Object.values(rgb);'],
  ['at', 'for (let i = 0; i < n; i++) sum += rgb.at(i)!;'],
  ['readers of a Buffer', 'for (let i = 0; i < n; i++) sum += bytes.readUInt8(i);'],
  ['writers of a Buffer', 'for (let i = 0; i < n; i++) bytes.writeUInt8(v, i);'],
  ['a DataView', 'for (let i = 0; i < n; i++) view.setUint8(i, view.getUint8(i + 1));'],
];

const PASSED: readonly (readonly [string, string])[] = [
  ['copies of rows', 'for (let y = 0; y < h; y++) image.data.set(rgb.subarray(y * w, y * w + w), y * v);'],
  ['doubling by copies', 'for (let d = 4; d < n; d *= 2) bytes.copyWithin(at + d, at, at + d);'],
  [
    'loops over other things',
    'for (const name of names) numbers.push(name.length); numbers.map((d) => d * 2);',
  ],
  ['one element', 'const presence = tensor.data[0]!;'],
  ['a field of a header', 'const FIELD = 4; const width = bytes.readUInt32BE(FIELD) + bytes[8]!;'],
  ['conversion as a whole', 'const copy = new Float32Array(rgb); const again = Buffer.from(rgb);'],
  ['other tables', 'const SIZES: Record<number, number> = { 3: 2 }; const size = SIZES[n];'],
];

/** Where a fixture appears to be: outside the guarded folders. */
const pathOf = (kind: 'found' | 'passed', name: string): string =>
  `fixtures/${kind}/${name.replaceAll(' ', '-')}.ts`;

const fixtures = new Map([
  ...FOUND.map(([name, source]) => [pathOf('found', name), `${SETTING}${source}\nexport {};\n`] as const),
  ...PASSED.map(([name, source]) => [pathOf('passed', name), `${SETTING}${source}\nexport {};\n`] as const),
]);

describe('no TypeScript loops over the pixels of a job', () => {
  let loops: PixelLoops;
  beforeAll(() => {
    loops = new PixelLoops(ROOT, ON_THE_WAY, fixtures);
  });

  it.each(ON_THE_WAY)('%s', (folder) => {
    expect(loops.countUnder(folder)).toBeGreaterThan(10);
    expect(loops.under(folder).filter(({ owner }) => !(owner in ALLOWED))).toEqual([]);
  });

  it('and every allowed exception still exists', () => {
    const owners = new Set(ON_THE_WAY.flatMap((folder) => loops.under(folder)).map(({ owner }) => owner));
    expect(Object.keys(ALLOWED).filter((owner) => !owners.has(owner))).toEqual([]);
  });

  describe('the guard itself', () => {
    it.each(FOUND.map(([name]) => name))('finds %s', (name) => {
      expect(loops.under(pathOf('found', name))).not.toEqual([]);
    });

    it.each(PASSED.map(([name]) => name))('lets %s pass', (name) => {
      const path = pathOf('passed', name);
      expect(loops.countUnder(path)).toBe(1);
      expect(loops.under(path)).toEqual([]);
    });

    it('reports file, line and function', () => {
      const path = pathOf('found', 'a generic helper');
      const line = SETTING.split('\n').length;
      expect(loops.under(path)).toEqual([
        { owner: `${path}: pick`, place: `${path}:${line}`, text: 'of[i]' },
      ]);
    });
  });
});
