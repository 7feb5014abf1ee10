import { describe, expect, it } from 'vitest';
import type { ImageFormat } from '../../../kernel/operations.js';
import { refuseTooManyPixels, refuseUnencodable } from './result-limits.js';

const LIMITS = { maxOutputPixels: 200_000_000, codecMemoryBytes: 500_000_000 };

const refusal = (
  format: ImageFormat,
  width: number,
  height: number,
  hasAlpha = false,
): string | undefined => {
  try {
    refuseTooManyPixels({ width, height }, LIMITS, 'operation');
    refuseUnencodable({ format, width, height, hasAlpha }, LIMITS);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'too_many_pixels' });
    return (error as { detail: string }).detail;
  }
};

describe('limits of a result', () => {
  it('refuse too many pixels in a sentence that does not name the field of the only operation', () => {
    expect(refusal('jpeg', 16_000, 16_000)).toBe(
      'The result would have 16000 × 16000 pixels. The limit is 200000000 pixels.',
    );
  });

  it.each(['jpeg', 'png'] as const)('accept every %s within the pixel limit', (format) => {
    expect(refusal(format, 16_000, 12_000, format === 'png')).toBeUndefined();
    expect(refusal(format, 20_000, 10_001)).toMatch(/The limit is 200000000 pixels/);
  });

  // Cameras have 12, 24, and 50 megapixels; the largest sizes that fit are 24, 15, 90, and 33.
  it.each([
    ['avif', false, [6_000, 4_000], [8_000, 4_000]],
    ['avif', true, [4_032, 3_024], [6_000, 4_000]],
    ['webp', false, [8_660, 5_773], [16_000, 12_000]],
    ['webp', true, [6_000, 4_000], [8_660, 5_773]],
  ] as const)('count the memory of the encoder: %s, transparent %s', (format, hasAlpha, fits, tooLarge) => {
    expect(refusal(format, fits[0], fits[1], hasAlpha)).toBeUndefined();
    expect(refusal(format, tooLarge[0], tooLarge[1], hasAlpha)).toMatch(/MB of memory. The limit is 500 MB/);
  });

  it('suggest only formats that fit, and none that would lose the transparency', () => {
    expect(refusal('avif', 8_000, 4_000)).toMatch(/enough for 24 megapixels.*\(jpeg, png, webp\)/);
    expect(refusal('avif', 8_000, 4_000, true)).toMatch(/with transparency.*\(png, webp\)/);
    expect(refusal('avif', 16_000, 12_000)).toMatch(/\(jpeg, png\)/);
  });
});
