import { describe, expect, it } from 'vitest';
import { MemoryPixels } from '../testing/memory-pixels.js';
import { blendRow, compose, composedShape } from './compose.js';
import { confidenceOf, readMatte } from './matte.js';
import { drawMatte } from './matte-picture.js';
import { ShadowMap } from './shadow-map.js';

const WIDTH = 60;
const HEIGHT = 40;
const BLOCK = { x: 20, y: 10, width: 16, height: 12 };

/** A picture of one color with the given alpha; a large one takes several strips. */
function cutout(alphaAt: (x: number, y: number) => number, width = WIDTH, height = HEIGHT) {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) data.set([200, 100, 50, alphaAt(x, y)], at);
  return new MemoryPixels({ width, height, channels: 4 }, data);
}

const isInBlock = (x: number, y: number): boolean =>
  x >= BLOCK.x && x < BLOCK.x + BLOCK.width && y >= BLOCK.y && y < BLOCK.y + BLOCK.height;
const block = () => cutout((x, y) => (isInBlock(x, y) ? 255 : 0));
const whole = { x: 0, y: 0, width: WIDTH, height: HEIGHT };

describe('readMatte', () => {
  it('finds the smallest rectangle around the subject with its hair, but without haze', async () => {
    const hairy = cutout((x, y) => {
      if (isInBlock(x, y)) return 255;
      const isHair = y === BLOCK.y - 2 && x > 22;
      const isHaze = x === 3 && y > 30;
      return isHair || isHaze ? 12 : 5;
    });
    // Hair may reach up to a tenth of the longer side beyond the solid subject.
    expect((await readMatte(hairy)).subject).toEqual({ x: 18, y: 8, width: 20, height: 16 });
    expect((await readMatte(cutout((x, y) => (isInBlock(x, y) ? 60 : 0)))).subject).toEqual(BLOCK);
    expect((await readMatte(cutout(() => 5))).subject).toBeNull();
  });

  it('reads every strip of a large picture', async () => {
    const large = cutout((x, y) => (x === 999 && y === 599 ? 255 : 0), 1_000, 600);
    expect((await readMatte(large)).subject).toEqual({ x: 999, y: 599, width: 1, height: 1 });
  });

  it('makes transparent pixels black on request, and changes no others', async () => {
    const faint = cutout((x, y) => (isInBlock(x, y) ? 255 : x === 0 ? 1 : 0));
    await readMatte(faint);
    expect(faint.pixel(5, 5)).toEqual([200, 100, 50, 0]);
    await readMatte(faint, { clear: faint });
    expect(faint.pixel(5, 5)).toEqual([0, 0, 0, 0]);
    expect(faint.pixel(0, 5)).toEqual([200, 100, 50, 1]);
    expect(faint.pixel(BLOCK.x, BLOCK.y)).toEqual([200, 100, 50, 255]);
  });

  it('is confident of a solid subject, and not of a vague one', async () => {
    expect((await readMatte(block())).confidence).toBe(1);
    expect((await readMatte(cutout(() => 140))).confidence).toBe(0);
    expect((await readMatte(cutout(() => 0))).confidence).toBe(0);
    expect(confidenceOf({ solid: 100, solidAlpha: 100 * 255 * 0.98, uncertain: 5 })).toBeCloseTo(0.931, 3);
  });
});

describe('compose', () => {
  it('draws a frame that reaches beyond the picture', async () => {
    const frame = { x: -4, y: 8, width: 30, height: 40 };
    const target = new MemoryPixels(composedShape(frame, null));
    await compose(block(), frame, { shadow: null, background: null }, target);
    expect(target.pixel(24, 2)).toEqual([200, 100, 50, 255]);
    expect(target.pixel(23, 2)).toEqual([0, 0, 0, 0]);
    expect(target.pixel(24, 39)).toEqual([0, 0, 0, 0]);
  });

  it('draws the subject over its shadow over an opaque picture', async () => {
    const shade = { opacity: 0.5, blurPixels: 0, offsetXPixels: 6, offsetYPixels: 0 };
    const shadow = await ShadowMap.of(block(), shade);
    const shape = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
    const background = new MemoryPixels(shape, new Uint8Array(WIDTH * HEIGHT * 3).fill(240));
    const target = new MemoryPixels(composedShape(whole, background));
    await compose(block(), whole, { shadow, background }, target);
    const pixel = (x: number) => target.pixel(x, 15);
    expect(pixel(10)).toEqual([240, 240, 240]);
    expect(pixel(25)).toEqual([200, 100, 50]);
    expect(pixel(BLOCK.x + BLOCK.width + 2)).toEqual([120, 120, 120]);
    expect(pixel(BLOCK.x + BLOCK.width + 8)).toEqual([240, 240, 240]);
  });

  it('blends straight alpha', () => {
    const under = new Uint8Array([0, 0, 255, 128]);
    blendRow(new Uint8Array([255, 0, 0, 128]), null, under, 4);
    // 0.5 + 0.5 × 0.5 is opaque, and two thirds of that are red.
    expect([...under]).toEqual([170, 0, 85, 192]);
    const shaded = new Uint8Array(4);
    blendRow(new Uint8Array([9, 9, 9, 0]), new Float32Array([0.4]), shaded, 4);
    expect([...shaded]).toEqual([0, 0, 0, 102]);
  });
});

describe('ShadowMap', () => {
  const rowOf = async (shadow: ShadowMap, y: number): Promise<Float32Array> => {
    const row = new Float32Array(WIDTH);
    shadow.readRow(0, y, row);
    return row;
  };

  it('is soft: it fades evenly and keeps its total', async () => {
    const shade = { opacity: 1, blurPixels: 3, offsetXPixels: 0, offsetYPixels: 0 };
    const row = await rowOf(await ShadowMap.of(block(), shade), 16);
    const fading = Array.from(row.subarray(BLOCK.x + 8, BLOCK.x + 26));
    expect(fading).toEqual(fading.toSorted((a, b) => b - a));
    const steps = fading.slice(1).map((value, index) => fading[index]! - value);
    expect(Math.max(...steps)).toBeLessThan(0.16);
    expect(row[BLOCK.x + 15]).toBeGreaterThan(0.35);
    expect(row[BLOCK.x + 15]).toBeLessThan(0.65);
  });

  it('continues beyond the edge where the picture cuts off the subject', async () => {
    const torso = cutout((x, y) => (x >= 20 && x < 40 && y >= 20 ? 255 : 0));
    const shade = { opacity: 1, blurPixels: 3, offsetXPixels: 0, offsetYPixels: 0 };
    const shadow = await ShadowMap.of(torso, shade);
    const [bottom, above] = [await rowOf(shadow, HEIGHT - 1), await rowOf(shadow, HEIGHT - 8)];
    expect(bottom[30]).toBeGreaterThan(0.98);
    expect(bottom[41]).toBeCloseTo(above[41]!, 1);
  });

  it('keeps its shape when it is drawn at a reduced size', async () => {
    const shade = { opacity: 1, blurPixels: 12, offsetXPixels: 0, offsetYPixels: 0 };
    const wide = cutout((x) => (x < 100 ? 255 : 0), 200, 20);
    const row = new Float32Array(200);
    (await ShadowMap.of(wide, shade)).readRow(0, 10, row);
    expect(row[99]! + row[100]!).toBeCloseTo(1, 1);
    expect(row[88]).toBeCloseTo(0.84, 1);
  });
});

describe('drawMatte', () => {
  const drawn = async (
    kind: 'mask' | 'edges',
    source = block(),
  ): Promise<(x: number, y: number) => number> => {
    const target = new MemoryPixels({ width: WIDTH, height: HEIGHT, channels: 3 });
    await drawMatte(source, whole, kind, target);
    return (x, y) => {
      const [red, green, blue] = target.pixel(x, y);
      expect([green, blue]).toEqual([red, red]);
      return red!;
    };
  };

  it('draws the alpha as gray', async () => {
    const mask = await drawn('mask');
    expect([mask(25, 15), mask(5, 5)]).toEqual([255, 0]);
  });

  it('outlines the subject, except at the edge of the picture', async () => {
    const edges = await drawn('edges');
    expect([edges(BLOCK.x, 15), edges(BLOCK.x - 1, 15), edges(28, 15), edges(5, 5)]).toEqual([
      255, 255, 0, 0,
    ]);
    const torso = await drawn(
      'edges',
      cutout((x) => (x >= 20 ? 255 : 0)),
    );
    expect([torso(30, HEIGHT - 1), torso(WIDTH - 1, 5), torso(20, HEIGHT - 1)]).toEqual([0, 0, 255]);
  });
});
