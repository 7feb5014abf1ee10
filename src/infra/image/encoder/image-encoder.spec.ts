import { describe, expect, it } from 'vitest';
import type { ImageFormat } from '../../../kernel/operations.js';
import { worstCaseEncodingBytes } from '../codec/codec-memory.js';
import { needsOwnProcess } from './image-encoder.js';

const EFFORT = { avifEffort: 3, webpEffort: 4, pngLevel: 6 } as const;

const isOwn = (format: ImageFormat, megapixels: number, channels: 3 | 4 = 3, background?: string): boolean =>
  needsOwnProcess(
    { width: megapixels * 1000, height: 1000, channels },
    { format, background, maxEncodingBytes: 740_000_000, ...EFFORT },
  );

describe('an encode in a process of its own', () => {
  it.each(['jpeg', 'png'] as const)('is never a %s, which is written row by row', (format) => {
    expect(isOwn(format, 200, format === 'png' ? 4 : 3)).toBe(false);
  });

  it('is a WebP or AVIF that needs more than 200 MB', () => {
    expect(isOwn('webp', 32)).toBe(false);
    expect(isOwn('webp', 33)).toBe(true);
    expect(isOwn('avif', 5)).toBe(false);
    expect(isOwn('avif', 6)).toBe(true);
  });

  it('starts at a smaller size with transparency, unless a background removes it', () => {
    // Transparency that differs from pixel to pixel takes 217 MB.
    expect(isOwn('webp', 5.16, 4)).toBe(true);
    expect(isOwn('webp', 4, 4)).toBe(false);
    expect(isOwn('webp', 13, 4, '#ffffff')).toBe(false);
  });

  it('is estimated with the chroma that the encoder will use', () => {
    const traits = { format: 'avif', hasAlpha: false } as const;
    expect(worstCaseEncodingBytes(traits, 36e6, 740_000_000)).toBeLessThanOrEqual(740_000_000);
    expect(worstCaseEncodingBytes(traits, 36e6, Infinity)).toBeGreaterThan(1_100_000_000);
  });
});
