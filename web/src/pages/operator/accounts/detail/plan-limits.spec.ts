import { describe, expect, it } from 'vitest';
import { enteredLimits, limitTexts } from './plan-limits.js';

describe('enteredLimits', () => {
  it.each([5_000_000_000, 400_000, 2 ** 30, 1, 0])(
    'keeps a storage limit of %d bytes that nobody changed',
    (storageBytes) => {
      const own = { storageBytes, rpm: 60 };
      expect(enteredLimits(limitTexts(own), own)).toEqual(own);
      expect(enteredLimits({ ...limitTexts(own), rpm: '90' }, own)).toEqual({ storageBytes, rpm: 90 });
    },
  );

  it('converts a storage limit that was entered', () => {
    const own = { storageBytes: 5_000_000_000 };
    expect(enteredLimits({ ...limitTexts(own), storageBytes: '4,5' }, own)).toEqual({
      storageBytes: 4.5 * 2 ** 30,
    });
    expect(enteredLimits({ ...limitTexts(null), storageBytes: '4.657' }, null)).toEqual({
      storageBytes: Math.round(4.657 * 2 ** 30),
    });
    expect(enteredLimits({ ...limitTexts(own), storageBytes: ' ' }, own)).toEqual({});
    expect(enteredLimits({ ...limitTexts(own), storageBytes: 'much' }, own)).toBeUndefined();
  });
});
