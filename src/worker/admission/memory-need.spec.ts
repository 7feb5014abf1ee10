import { describe, expect, it } from 'vitest';
import type { WaitingJob } from '../../jobs/queue/fair-queue.repository.js';
import { IMAGE_FORMATS, type ImageFormat } from '../../kernel/operations.js';
import { memoryNeed } from './memory-need.js';

const MB = 1e6;
const MP = 1e6;

function jobOf(
  sourcePixels: number,
  from: ImageFormat,
  to: ImageFormat,
  given: Partial<WaitingJob> = {},
): WaitingJob {
  const job = {
    sourcePixels,
    sourceFormat: from,
    output: { format: to },
    sourceDecodingBytes: 0,
  };
  return { ...job, ...given } as WaitingJob;
}

const scaled = (scale: number, megapixels: number, producesAlpha = false) => ({
  step: { pixels: megapixels * MP },
  route: { scale, producesAlpha },
});
const needOf = (megapixels: number, scale: number, from: ImageFormat = 'jpeg', to = from): number =>
  memoryNeed(jobOf(megapixels * MP, from, to), [scaled(scale, megapixels)]);

describe('memoryNeed', () => {
  it('does not grow with the result when that is a JPEG or a PNG', () => {
    for (const format of ['jpeg', 'png'] as const) {
      expect(needOf(12, 4, 'jpeg', format)).toBeLessThan(300 * MB);
      expect(needOf(50, 2, 'jpeg', format)).toBe(needOf(50, 1, 'jpeg', format));
    }
  });

  it('counts the whole result for WebP and AVIF, whose encoders keep it', () => {
    expect(needOf(12, 4, 'jpeg', 'webp')).toBeGreaterThan(192 * 5 * MB);
    expect(needOf(12, 4, 'jpeg', 'avif')).toBeGreaterThan(192 * 32 * MB);
  });

  it('counts the transparency of a WebP, which takes four times as much', () => {
    const need = (producesAlpha: boolean, given: Partial<WaitingJob> = {}): number =>
      memoryNeed(jobOf(12 * MP, 'jpeg', 'webp', given), [scaled(1, 12, producesAlpha)]);
    const output = (options: object) => ({ output: { format: 'webp', ...options } as WaitingJob['output'] });
    // Measured for an ordinary cutout: 19.6 bytes per pixel.
    expect(need(true)).toBeGreaterThan(12 * 19.6 * MB);
    expect(need(false, { sourceFormat: 'png' })).toBe(need(true));
    for (const opaque of [output({ background: '#ffffff' }), output({ kind: 'mask' })])
      expect(need(true, opaque)).toBe(need(false));
    expect(need(false)).toBeLessThan(12 * 14 * MB);
  });

  it('fits many small jobs into a budget, but not one of 50 megapixels', () => {
    const budget = 500 * MB;
    expect(Math.floor(budget / needOf(0.25, 1))).toBeGreaterThan(16);
    expect(Math.floor(budget / needOf(12, 1))).toBe(3);
    expect(needOf(50, 1)).toBeGreaterThan(budget);
  });

  it('grows with the source, for every format', () => {
    for (const format of IMAGE_FORMATS) {
      const needs = [0.1, 1, 12, 24, 50].map((megapixels) => needOf(megapixels, 1, format));
      expect(needs).toEqual(needs.toSorted((a, b) => a - b));
    }
  });

  it('covers the largest step, and the encoding of the last result', () => {
    const job = jobOf(1 * MP, 'jpeg', 'avif');
    const chain = [scaled(2, 1), scaled(2, 4)];
    expect(memoryNeed(job, chain)).toBe(memoryNeed(job, [scaled(4, 1)]));
    const jpeg = jobOf(0.01 * MP, 'png', 'png');
    expect(memoryNeed(jpeg, [scaled(2, 0.01), scaled(1, 0.04)])).toBeGreaterThan(
      memoryNeed(jpeg, [scaled(1, 0.01)]),
    );
  });

  it('uses the decoder memory of the source, or the maximum if it is unknown', () => {
    const of = (sourceDecodingBytes: number | null): number =>
      memoryNeed(jobOf(12 * MP, 'png', 'jpeg', { sourceDecodingBytes }), [scaled(1, 12)]);
    expect(of(200 * MB)).toBeGreaterThanOrEqual(200 * MB);
    expect(of(null)).toBeGreaterThanOrEqual(12 * 15 * MB);
    expect(of(null)).toBeGreaterThan(of(12 * 4 * MB));
  });
});
