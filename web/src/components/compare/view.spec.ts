import { describe, expect, it } from 'vitest';
import { keepPan, place } from './view.js';

const FRAME = { width: 800, height: 600 };
const NO_PAN = { x: 0, y: 0 };

describe('place', () => {
  it('fits a large image into the frame, in its middle', () => {
    expect(place({ width: 4000, height: 2000 }, FRAME, 'fit', NO_PAN, 1)).toEqual({
      x: 0,
      y: 100,
      width: 800,
      height: 400,
    });
  });

  it('does not blow a small image up', () => {
    expect(place({ width: 100, height: 50 }, FRAME, 'fit', NO_PAN, 1)).toEqual({
      x: 350,
      y: 275,
      width: 100,
      height: 50,
    });
  });

  it('shows one image pixel as one screen pixel, also on a dense screen', () => {
    const { width, height } = place({ width: 4000, height: 2000 }, FRAME, 'actual', NO_PAN, 2);
    expect({ width, height }).toEqual({ width: 2000, height: 1000 });
  });

  it('pans to the edge of the image and not past it', () => {
    const image = { width: 1000, height: 500 };
    expect(place(image, FRAME, 'actual', { x: 9_999, y: 50 }, 1)).toMatchObject({ x: 0, y: 50 });
    expect(keepPan(image, FRAME, { x: -9_999, y: 50 }, 1)).toEqual({ x: -100, y: 0 });
  });
});
