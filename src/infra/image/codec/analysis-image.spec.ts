import { describe, expect, it } from 'vitest';
import type { RawImage } from '../../../kernel/pixels.js';
import { analysisImage } from './analysis-image.js';
import { drawSolid } from '../testing/still-images.js';

/** A smooth edge from black to white around `edge` (0–1 of the width or height), `ramp` wide. */
function drawEdge(width: number, height: number, axis: 'x' | 'y', edge: number, ramp: number): RawImage {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const place = axis === 'x' ? (x + 0.5) / width : (y + 0.5) / height;
      const value = Math.round(255 * Math.min(1, Math.max(0, (place - edge) / ramp + 0.5)));
      for (let c = 0; c < 3; c++) data[at++] = value;
    }
  }
  return { data, width, height, channels: 3 };
}

/** The dark share of the image, which is the position of the edge, 0–1, at any resolution. */
function edgeOf({ data }: RawImage): number {
  let dark = 0;
  for (const value of data) dark += 1 - value / 255;
  return dark / data.length;
}

const mirrored = (image: RawImage): RawImage => {
  const data = new Uint8Array(image.data.length);
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      const from = (y * image.width + x) * 3;
      data.set(image.data.subarray(from, from + 3), (y * image.width + image.width - 1 - x) * 3);
    }
  }
  return { ...image, data };
};

describe('analysisImage', () => {
  it.each([
    [1, 1],
    [3, 5],
    [17, 3],
    [64, 64],
    [200, 300],
    [65, 63],
    [2000, 1000],
    [1, 5000],
    [20_000, 2],
  ])('makes %i×%i exactly size × size × 3', async (width, height) => {
    const result = await analysisImage(drawSolid(width, height, [10, 100, 200]), 64);
    expect(result).toMatchObject({ width: 64, height: 64, channels: 3 });
    expect(result.data).toHaveLength(64 * 64 * 3);
    for (let at = 0; at < result.data.length; at += 3) {
      expect([...result.data.subarray(at, at + 3)]).toEqual([10, 100, 200]);
    }
  });

  it.each([
    [200, 300, 64],
    [300, 200, 320],
    [2000, 1000, 64],
    [2000, 1000, 320],
    [333, 1501, 320],
    [321, 319, 320],
    [37, 23, 320],
    [150, 41, 64],
  ])('keeps the edge of a %i×%i image in place, at size %i', async (width, height, size) => {
    for (const axis of ['x', 'y'] as const) {
      for (const edge of [0.3, 0.5, 0.62]) {
        const image = drawEdge(width, height, axis, edge, 8 / size);
        const shift = (edgeOf(await analysisImage(image, size)) - edgeOf(image)) * size;
        // In pixels of the result: a wrong convention shifts the edge by half a pixel.
        expect(Math.abs(shift), `${axis} ${edge}: ${shift}`).toBeLessThan(0.05);
      }
    }
  });

  it('enlarges small images by exact replication when the factor is whole', async () => {
    const image: RawImage = {
      data: Uint8Array.from({ length: 4 * 2 * 3 }, (_, index) => index * 10),
      width: 4,
      height: 2,
      channels: 3,
    };
    const result = await analysisImage(image, 8);
    for (let y = 0; y < 8; y++) {
      for (let x = 0; x < 8; x++) {
        const from = ((y >> 2) * 4 + (x >> 1)) * 3;
        expect([...result.data.subarray((y * 8 + x) * 3, (y * 8 + x + 1) * 3)]).toEqual([
          ...image.data.subarray(from, from + 3),
        ]);
      }
    }
  });

  it('keeps a centered impulse in the center', async () => {
    for (const [width, height] of [
      [3, 5],
      [201, 301],
      [1999, 999],
    ] as const) {
      const image = drawSolid(width, height, [0, 0, 0]);
      const spread = Math.ceil(width / 100);
      const [cx, cy] = [width >> 1, height >> 1];
      for (let y = cy - spread; y <= cy + spread; y++) {
        for (let x = cx - spread; x <= cx + spread; x++) {
          if (Math.abs(x - cx) <= spread && width > 3)
            image.data.fill(255, (y * width + x) * 3, (y * width + x + 1) * 3);
        }
      }
      if (width === 3) image.data.fill(255, (cy * width + cx) * 3, (cy * width + cx + 1) * 3);
      const { data } = await analysisImage(image, 64);
      let [sum, sumX, sumY] = [0, 0, 0];
      for (let y = 0; y < 64; y++) {
        for (let x = 0; x < 64; x++) {
          const value = data[(y * 64 + x) * 3]!;
          sum += value;
          sumX += value * (x + 0.5);
          sumY += value * (y + 0.5);
        }
      }
      expect(sum).toBeGreaterThan(0);
      expect(Math.abs(sumX / sum - 32), `${width}×${height} x`).toBeLessThan(0.1);
      expect(Math.abs(sumY / sum - 32), `${width}×${height} y`).toBeLessThan(0.1);
    }
  });

  it('treats left and right the same', async () => {
    for (const width of [5, 50, 200, 640]) {
      const image = drawEdge(width, 40, 'x', 0.4, 0.5);
      const there = await analysisImage(image, 64);
      const back = mirrored(await analysisImage(mirrored(image), 64));
      let largest = 0;
      for (const [index, value] of there.data.entries()) {
        largest = Math.max(largest, Math.abs(value - back.data[index]!));
      }
      expect(largest, `width ${width}`).toBeLessThanOrEqual(1);
    }
  });

  it('shows transparency as mid gray', async () => {
    const clear = await analysisImage(drawSolid(20, 30, [255, 0, 0, 0]), 16);
    expect([...clear.data.subarray(0, 3)]).toEqual([128, 128, 128]);
    const half = await analysisImage(drawSolid(20, 30, [255, 0, 0, 128]), 16);
    for (const [c, value] of [192, 64, 64].entries())
      expect(Math.abs(half.data[c]! - value)).toBeLessThanOrEqual(1);
    const solid = await analysisImage(drawSolid(20, 30, [255, 0, 0, 255]), 16);
    expect([...solid.data.subarray(0, 3)]).toEqual([255, 0, 0]);
  });
});
