import { describe, expect, it } from 'vitest';
import { imagePreference } from './image-preference.js';

describe('imagePreference', () => {
  it.each([
    ['image/png', 'png'],
    ['image/jpeg', 'jpeg'],
    ['IMAGE/WEBP; q=0.5', 'webp'],
    ['image/*', undefined],
    ['image/*, */*;q=0.1', undefined],
    ['image/avif,image/webp,application/json;q=0.9', undefined],
    ['image/tiff', undefined],
  ])('wants an image for %s', (accept, format) => {
    expect(imagePreference(accept)).toEqual({ isWanted: true, format });
  });

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, image/png',
    'application/json, image/*;q=0.9',
    'image/png;q=0',
    'image/png;q=nonsense',
    'text/html',
  ])('wants no image for %s', (accept) => {
    expect(imagePreference(accept).isWanted).toBe(false);
  });
});
