import { describe, expect, it } from 'vitest';
import { PictureDifference } from './picture-difference.js';

const filled = (pixels: number, ...pixel: readonly number[]): Uint8Array =>
  Uint8Array.from({ length: pixels * pixel.length }, (_, index) => pixel[index % pixel.length]!);

describe('PictureDifference', () => {
  it('is the mean absolute difference of colors in percent of full scale, and their squared error', () => {
    const difference = new PictureDifference(3, false);
    difference.add(filled(50, 10, 20, 30), filled(50, 10, 20, 30));
    difference.add(filled(50, 10, 20, 30), filled(50, 20, 10, 60));
    const { isMatte, percent, squaredError } = difference.found();
    expect(isMatte).toBe(false);
    expect(percent).toBeCloseTo((100 * (10 + 10 + 30)) / 3 / 2 / 255, 10);
    expect(squaredError).toBeCloseTo((100 + 100 + 900) / 3 / 2, 10);
  });

  it('is 0 for equal pictures, and 100 for black and white', () => {
    const equal = new PictureDifference(3, false);
    equal.add(filled(9, 1, 2, 3), filled(9, 1, 2, 3));
    expect(equal.found()).toMatchObject({ percent: 0, squaredError: 0 });
    const opposite = new PictureDifference(3, false);
    opposite.add(filled(9, 0, 0, 0), filled(9, 255, 255, 255));
    expect(opposite.found()).toMatchObject({ percent: 100, squaredError: 255 * 255 });
  });

  it('ignores the colors of fully transparent pixels', () => {
    const difference = new PictureDifference(4, false);
    difference.add(filled(5, 0, 0, 0, 0), filled(5, 255, 255, 255, 0));
    expect(difference.found().percent).toBe(0);
    difference.add(filled(5, 0, 0, 0, 0), filled(5, 255, 255, 255, 1));
    expect(difference.found().percent).toBe(100);
  });

  it('compares mattes by the share of their union that is not in both', () => {
    const difference = new PictureDifference(4, true);
    // 60 pixels are in both, 20 in each alone, 100 in neither. Colors and alpha below ½ do not matter.
    difference.add(filled(60, 9, 9, 9, 255), filled(60, 1, 1, 1, 128));
    difference.add(filled(20, 9, 9, 9, 200), filled(20, 9, 9, 9, 127));
    difference.add(filled(20, 9, 9, 9, 0), filled(20, 9, 9, 9, 130));
    difference.add(filled(100, 9, 9, 9, 0), filled(100, 9, 9, 9, 100));
    expect(difference.found()).toEqual({ isMatte: true, percent: 40, squaredError: 0 });
    expect(new PictureDifference(4, true).found().percent).toBe(0);
  });
});
