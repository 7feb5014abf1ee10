import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pixelLoopsIn, pixelLoopsUnder } from '../support/pixel-loops.js';

/** Folders on a job's way. Tools (src/app) may loop: they measure and draw, they do not serve. */
const ON_THE_WAY = ['src/worker', 'src/inference', 'src/infra/image'];

describe('no TypeScript touches pixels one by one on a job’s way', () => {
  it.each(ON_THE_WAY)('%s', (folder) => {
    expect(readdirSync(folder).length).toBeGreaterThan(3);
    expect(pixelLoopsUnder(folder)).toEqual([]);
  });
});

describe('the guard itself', () => {
  const found = (source: string): number => pixelLoopsIn('fixture.ts', source).length;

  it.each([
    ['a loop over bytes', 'for (let i = 0; i < n; i++) out.data[i] = image.data[i]! / 255;'],
    ['a computed index', 'for (let y = 0; y < h; y++) { const at = y * w; pixels[at + 1] = 0; }'],
    ['a loop inside a loop', 'for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) data[y * w + x] = 1;'],
    ['while', 'let i = 0; while (i < n) { bytes[i]! ^= 255; i += 4; }'],
    ['for of', 'for (const byte of image.data) sum += byte;'],
    ['map', 'const half = image.data.map((value) => value / 2);'],
    ['forEach', 'tensor.data.forEach((value, at) => { out[at] = value; });'],
    ['reduce', 'const sum = result.data.reduce((a, b) => a + b, 0);'],
    ['from with a function', 'const floats = Float32Array.from(bytes, (value) => value / 255);'],
  ])('finds %s', (_, source) => {
    expect(found(source)).toBeGreaterThan(0);
  });

  it.each([
    [
      'copies of rows',
      'for (let y = 0; y < h; y++) target.data.set(square.subarray(y * w, y * w + w), y * v);',
    ],
    ['doubling by copies', 'for (let n = 4; n < l; n *= 2) bytes.copyWithin(at + n, at, at + n);'],
    [
      'loops over other things',
      'for (const item of items) names.push(item.name); dims.map((dim) => dim * 2);',
    ],
    ['one element', 'const presence = outputs.presence.data[0]!;'],
  ])('lets %s pass', (_, source) => {
    expect(found(source)).toBe(0);
  });
});
