import { describe, expect, it } from 'vitest';
import { AppError } from '../../../kernel/app-error.js';
import { decodeImage } from '../codec/decode.js';
import { srgbProfile } from '../codec/srgb-profile.js';
import { thumbnailOfFile } from '../thumbnails/thumbnail.js';
import { avifOfTiles } from '../testing/avif-grid.js';
import {
  avifWithCodePoints,
  BT2020,
  BT709,
  codePointsOf,
  DISPLAY_P3,
  pngWithCodePoints,
  pngWithout,
  SRGB_CURVE,
} from '../testing/code-points.js';
import { decodedAlike, pixelAt } from '../testing/decoded-alike.js';
import { GRAY_COLUMNS, limitedGrayAvif } from '../testing/limited-gray.js';
import { drawRaw, drawSolid, pipelineOf } from '../testing/still-images.js';
import { avifWithProfile } from './avif-profile.js';

const LIMITS = { maxPixels: 1_000_000 };

/** IEC 61966-2-1, 0–1. */
const toLinear = (v: number): number => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const fromLinear = (v: number): number => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

/** To linear sRGB, as published in CSS Color 4 §10.10 (Display P3) and ITU-R BT.2087 (BT.2020). */
const MATRICES: Readonly<Record<number, readonly (readonly number[])[]>> = {
  [DISPLAY_P3]: [
    [1.22494, -0.22494, 0],
    [-0.042057, 1.042057, 0],
    [-0.019638, -0.078636, 1.098274],
  ],
  [BT2020]: [
    [1.660491, -0.587641, -0.07285],
    [-0.12455, 1.1329, -0.008349],
    [-0.018151, -0.100579, 1.11873],
  ],
};

/** Cut off to the gamut of sRGB. */
function toSrgb(primaries: number, color: readonly number[]): number[] {
  const linear = color.slice(0, 3).map((value) => toLinear(value / 255));
  return MATRICES[primaries]!.map((row) => row.reduce((sum, factor, c) => sum + factor * linear[c]!, 0))
    .map((value) => 255 * fromLinear(Math.min(1, Math.max(0, value))))
    .concat(color.slice(3));
}

const RED = [220, 40, 40] as const;
/** Inside Display P3 in all of these spaces: the library cuts off more than 8 bits at Display P3, then at sRGB. */
const BROWN = [190, 90, 70] as const;
const CASES = [RED, BROWN, [90, 150, 100], [30, 200, 60, 128], [128, 128, 128]].flatMap((color) =>
  [DISPLAY_P3, BT2020].map((primaries) => ({ primaries, color })),
);

const solid = (color: readonly number[]) => pipelineOf(drawSolid(64, 64, color));
const png = (color: readonly number[]): Promise<Buffer> => solid(color).png().toBuffer();
/** Of the AVIFs that the library writes, only lossless ones have code points. */
const avif = (color: readonly number[], bitdepth: 8 | 10 | 12 = 8): Promise<Buffer> =>
  solid(color).avif({ lossless: true, effort: 0, bitdepth }).toBuffer();

const colorOf = async (file: Buffer): Promise<number[]> => pixelAt(await decodedAlike(file), 20, 20);
/** Each value may differ by 1.6. */
const near = (color: readonly number[]): unknown[] =>
  color.map((value) => expect.closeTo(value, -0.5) as unknown);

describe('wide colors stated by code points become sRGB', () => {
  it.each(CASES)('in a PNG: primaries $primaries, $color', async ({ primaries, color }) => {
    const file = pngWithCodePoints(await png(color), primaries);
    expect(await colorOf(file)).toEqual(near(toSrgb(primaries, color)));
  });

  it.each(CASES)('in an AVIF: primaries $primaries, $color', async ({ primaries, color }) => {
    const file = avifWithCodePoints(await avif(color), primaries);
    expect(await colorOf(file)).toEqual(near(toSrgb(primaries, color)));
  });

  it.each([10, 12] as const)('in an AVIF of %i bits', async (bits) => {
    const file = avifWithCodePoints(await avif(BROWN, bits), BT2020);
    expect(await colorOf(file)).toEqual(near(toSrgb(BT2020, BROWN)));
  });

  it('in a PNG of 16 bits, and in a palette', async () => {
    const deep = await solid(BROWN).toColourspace('rgb16').png().toBuffer();
    const palette = await solid(BROWN).png({ palette: true }).toBuffer();
    for (const file of [deep, palette])
      expect(await colorOf(pngWithCodePoints(file, BT2020))).toEqual(near(toSrgb(BT2020, BROWN)));
  });

  it('in the tiles of an AVIF, stated for the whole or for a tile', async () => {
    const tile = avifWithCodePoints(await avif(RED), DISPLAY_P3);
    for (const colors of ['grid', 'tiles'] as const) {
      const stated = { of: colors, property: codePointsOf(tile) };
      const file = await avifOfTiles({ tileSide: 64, columns: 2, rows: 1, tile, colors: stated });
      expect(await colorOf(file)).toEqual(near(toSrgb(DISPLAY_P3, RED)));
    }
  });

  it('in an AVIF with appended bytes, or whose last box has no length', async () => {
    const file = avifWithCodePoints(await avif(RED), DISPLAY_P3);
    const open = Buffer.from(file);
    open.writeUInt32BE(0, open.indexOf('mdat', 0, 'latin1') - 4);
    for (const odd of [Buffer.concat([file, Buffer.alloc(21, 0xff)]), open])
      expect(await colorOf(odd)).toEqual(near(toSrgb(DISPLAY_P3, RED)));
  });

  it('as those of the same picture with a profile', async () => {
    const profiled = await pipelineOf(drawRaw(64, 48)).withIccProfile('p3').png().toBuffer();
    const stated = await decodedAlike(pngWithCodePoints(pngWithout(profiled, 'iCCP'), DISPLAY_P3));
    const { data } = await decodeImage(profiled, LIMITS);
    for (const [at, value] of data.entries())
      expect(Math.abs(value - stated.data[at]!)).toBeLessThanOrEqual(1);
  });

  it('for every transfer function like that of sRGB, and for no other', async () => {
    for (const transfer of [1, 2, 4, 6, SRGB_CURVE, 14, 15]) {
      const file = pngWithCodePoints(await png(RED), DISPLAY_P3, transfer);
      expect(await colorOf(file), String(transfer)).toEqual(near(toSrgb(DISPLAY_P3, RED)));
    }
    const linear = pngWithCodePoints(await png(RED), DISPLAY_P3, 8);
    expect(await colorOf(linear)).toEqual(RED);
  });

  it('in thumbnails', async () => {
    for (const file of [
      pngWithCodePoints(await png(RED), DISPLAY_P3),
      avifWithCodePoints(await avif(RED), DISPLAY_P3),
    ]) {
      const color = await colorOf(await thumbnailOfFile(file, 32, LIMITS));
      for (const [c, value] of toSrgb(DISPLAY_P3, RED).entries())
        expect(Math.abs(color[c]! - value)).toBeLessThan(6);
    }
  });
});

describe('colors stay as they are', () => {
  it('with the primaries of sRGB', async () => {
    expect(await colorOf(pngWithCodePoints(await png(RED), BT709))).toEqual(RED);
    expect(await colorOf(avifWithCodePoints(await avif(RED), BT709))).toEqual(RED);
  });

  it('when they are grays', async () => {
    const gray = await solid([90, 90, 90]).toColourspace('b-w').png().toBuffer();
    expect(await colorOf(pngWithCodePoints(gray, BT2020))).toEqual([90, 90, 90]);
    const limited = await decodedAlike(avifWithCodePoints(limitedGrayAvif('8 bits'), BT2020));
    for (const [column, level] of GRAY_COLUMNS.entries())
      expect(pixelAt(limited, 8 + 16 * column, 8)).toEqual([level, level, level]);
  });
});

describe('of code points and a profile', () => {
  it('the code points count in a PNG', async () => {
    const file = await solid(RED).withIccProfile('srgb').png().toBuffer();
    expect(await colorOf(pngWithCodePoints(file, DISPLAY_P3))).toEqual(near(toSrgb(DISPLAY_P3, RED)));
  });

  it('the profile counts in an AVIF', async () => {
    const stated = avifWithCodePoints(await avif(RED), DISPLAY_P3);
    const both = avifWithProfile(stated, 1, await srgbProfile())!;
    expect(await colorOf(both)).toEqual(near(RED));
  });
});

it.each([
  ['PNG', 'IDAT'],
  ['AVIF', 'mdat'],
])('a %s with any damaged byte in its description is decoded or refused', async (format, pixels) => {
  const file =
    format === 'PNG'
      ? pngWithCodePoints(await png(RED), BT2020)
      : avifWithCodePoints(await avif(RED), BT2020);
  for (let at = 0; at < file.indexOf(pixels, 0, 'latin1'); at++) {
    const copy = Buffer.from(file);
    copy[at] = copy[at]! ^ (1 << (at % 8));
    const isExpected = await decodeImage(copy, LIMITS).then(
      () => true,
      (error: unknown) => error instanceof AppError,
    );
    expect(isExpected, `byte ${at}`).toBe(true);
  }
});
