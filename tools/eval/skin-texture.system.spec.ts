import { describe, expect, it } from 'vitest';
import type { RawImage } from '#src/kernel/pixels.js';
import { drawnBackground } from './drawn-backgrounds.js';
import { atLeast, atMost, isMet } from './eval-row.js';
import { chartPicture, OPTICAL_TONES } from '#src/cli/models/sheet/skin-chart.js';
import { blurredSkin, SkinTexture } from './skin-texture.js';

/** Gray with grain, and a black bar with steep edges. */
function grainy(): RawImage {
  const size = 96;
  const data = new Uint8Array(size * size * 3);
  for (let at = 0; at < size * size; at++)
    data.fill(at % size >= 40 && at % size < 50 ? 20 : 150 + ((at * 7919) % 5), at * 3, at * 3 + 3);
  return { data, width: size, height: size, channels: 3 };
}

const bytes = ({ data }: RawImage): Buffer => Buffer.from(data);

describe('texture and edges of skin', () => {
  const picture = grainy();
  const everywhere = new Float32Array(96 * 96).fill(1);

  it('are complete in an unchanged picture', () => {
    const sums = new SkinTexture(picture, everywhere).compare(picture);
    expect(sums.before).toBeGreaterThan(0);
    expect(sums.after).toBe(sums.before);
    expect(sums.edges).toBeGreaterThan(100);
    expect(sums.kept).toBe(sums.edges);
  });

  it('are lost in a blur', () => {
    const sums = new SkinTexture(picture, everywhere).compare(blurredSkin(picture, everywhere));
    expect(sums.after).toBeLessThan(0.5 * sums.before);
    expect(sums.kept).toBeLessThan(0.5 * sums.edges);
  });

  it('do not count where the map is 0', () => {
    const sums = new SkinTexture(picture, new Float32Array(96 * 96)).compare(picture);
    expect(sums).toEqual({ before: 0, after: 0, edges: 0, kept: 0 });
  });
});

describe('drawn pictures', () => {
  it('are the same every time, and differ from one another', () => {
    const chart = (): Buffer => bytes(chartPicture(OPTICAL_TONES[0]!).image);
    expect(bytes(drawnBackground(3)).equals(bytes(drawnBackground(3)))).toBe(true);
    expect(bytes(drawnBackground(3)).equals(bytes(drawnBackground(13)))).toBe(false);
    expect(chart().equals(chart())).toBe(true);
  });

  it('have skin of the requested tone', () => {
    for (const tone of OPTICAL_TONES) {
      const { image, skin } = chartPicture(tone);
      const reds = Array.from(skin, (value, at) => (value === 1 ? image.data[at * 3]! : null)).filter(
        (value) => value !== null,
      );
      expect(reds.length / skin.length).toBeGreaterThan(0.1);
      expect(reds.toSorted((a, b) => a - b)[reds.length >> 1]! / tone[0]).toBeGreaterThan(0.7);
    }
  });
});

it('a row meets its target, misses it, or has none', () => {
  const row = { operation: '', level: '', set: '', metric: '', count: 1, baseline: null, published: [] };
  expect(isMet({ ...row, ours: 2, target: atLeast(2) })).toBe(true);
  expect(isMet({ ...row, ours: 3, target: atMost(2) })).toBe(false);
  expect(isMet({ ...row, ours: 3, target: null })).toBeNull();
  expect(isMet({ ...row, ours: null, target: atMost(2) })).toBeNull();
});
