import { describe, expect, it } from 'vitest';
import { fitBytes, LOWEST_QUALITY } from './fit-bytes.js';

/** Sizes like those of a photo: they grow faster and faster with the quality. */
const sizeAt = (quality: number): number =>
  Math.round(20_000 * Math.exp(0.028 * quality + (quality / 90) ** 4));

async function fitted(quality: number, maxBytes: number) {
  const tried: number[] = [];
  const found = await fitBytes(
    async (at) => {
      tried.push(at);
      return Promise.resolve(sizeAt(at));
    },
    { quality, maxBytes },
  );
  return { ...found, tried };
}

describe('fitBytes', () => {
  it('encodes once if the result fits', async () => {
    expect(await fitted(90, sizeAt(90))).toEqual({ quality: 90, bytes: sizeAt(90), tried: [90] });
  });

  it.each([25, 30, 48, 60, 75, 89])('finds a quality near the highest that fits (%i)', async (best) => {
    const { quality, bytes, tried } = await fitted(90, sizeAt(best));
    expect(bytes).toBe(sizeAt(quality));
    expect(bytes).toBeLessThanOrEqual(sizeAt(best));
    expect(bytes).toBeGreaterThan(0.9 * sizeAt(best));
    expect(tried.length).toBeLessThanOrEqual(8);
    expect(new Set(tried).size).toBe(tried.length);
  });

  it('needs few attempts where the size hardly falls with the quality', async () => {
    const tried: number[] = [];
    const { quality } = await fitBytes(
      async (at) => {
        tried.push(at);
        return Promise.resolve(at === 90 ? 30_000 : 5_000 + 60 * at);
      },
      { quality: 90, maxBytes: 7_500 },
    );
    expect(quality).toBeGreaterThan(36);
    expect(quality).toBeLessThan(42);
    expect(tried.length).toBeLessThanOrEqual(6);
  });

  it('stops at the lowest quality when nothing fits', async () => {
    const { quality, bytes, tried } = await fitted(90, 1_000);
    expect({ quality, bytes }).toEqual({ quality: LOWEST_QUALITY, bytes: sizeAt(LOWEST_QUALITY) });
    expect(tried.length).toBeLessThanOrEqual(8);
    expect(await fitted(12, 1_000)).toMatchObject({ quality: 12, tried: [12] });
  });

  it('uses the lowest quality when only that fits', async () => {
    expect(await fitted(100, sizeAt(LOWEST_QUALITY))).toMatchObject({ quality: LOWEST_QUALITY });
  });
});
