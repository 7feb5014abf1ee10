import { describe, expect, it } from 'vitest';
import { keepPan, place, scaleOf, type Scene, stepFrom, visible, zoomTo } from './view.js';

const FRAME = { width: 800, height: 600 };
const scene = (changes: Partial<Scene>): Scene => ({
  image: { width: 4000, height: 2000 },
  frame: FRAME,
  zoom: 'fit',
  pan: { x: 0, y: 0 },
  pixelRatio: 1,
  ...changes,
});
const SMALL = { width: 100, height: 50 };
const CENTER = { x: 400, y: 300 };

describe('place', () => {
  it('fits a large image into the frame, centered', () => {
    expect(place(scene({}))).toEqual({ x: 0, y: 100, width: 800, height: 400 });
  });

  it('fits a small image, too, which differs from 100%', () => {
    expect(place(scene({ image: SMALL }))).toEqual({ x: 0, y: 100, width: 800, height: 400 });
    expect(place(scene({ image: SMALL, zoom: 1 }))).toEqual({ x: 350, y: 275, width: 100, height: 50 });
  });

  it('never enlarges more than eight times', () => {
    expect(scaleOf(scene({ image: { width: 10, height: 10 } }))).toBe(8);
  });

  it('shows one image pixel as one screen pixel at 100%, even on a dense screen', () => {
    const { width, height } = place(scene({ zoom: 1, pixelRatio: 2 }));
    expect({ width, height }).toEqual({ width: 2000, height: 1000 });
  });

  it('pans to the edge of the image and not past it', () => {
    const image = { width: 1000, height: 500 };
    expect(place(scene({ image, zoom: 1, pan: { x: 9_999, y: 50 } }))).toMatchObject({ x: 0, y: 50 });
    expect(keepPan(scene({ image, zoom: 1, pan: { x: -9_999, y: 50 } }))).toEqual({ x: -100, y: 0 });
  });
});

describe('zoomTo', () => {
  it('keeps the spot under the pointer in place', () => {
    const at = { x: 200, y: 250 };
    const before = scene({ zoom: 1 });
    const after = { ...before, ...zoomTo(before, 2, at) };
    const spot = (one: Scene) => {
      const { x, y, width, height } = place(one);
      return { x: (at.x - x) / width, y: (at.y - y) / height };
    };
    expect(spot(after).x).toBeCloseTo(spot(before).x, 6);
    expect(spot(after).y).toBeCloseTo(spot(before).y, 6);
  });

  it('stays between the whole image and 800%', () => {
    expect(zoomTo(scene({}), 99, CENTER).zoom).toBe(8);
    expect(zoomTo(scene({}), 0.001, CENTER).zoom).toBe(0.2);
    expect(zoomTo(scene({ image: SMALL }), 0.001, CENTER).zoom).toBe(1);
  });
});

describe('stepFrom', () => {
  it('goes up to 800% and down to the whole image', () => {
    const up: unknown[] = [];
    let view: Partial<Scene> = {};
    for (let count = 0; count < 6; count += 1) {
      const now = scene(view);
      view = zoomTo(now, stepFrom(now, 'in'), CENTER);
      up.push(view.zoom);
    }
    expect(up).toEqual([0.25, 0.5, 1, 2, 4, 8]);
    expect(stepFrom(scene({ zoom: 8 }), 'in')).toBe(8);
    expect(stepFrom(scene({ zoom: 8 }), 'out')).toBe(4);
    expect(stepFrom(scene({ zoom: 0.25 }), 'out')).toBe('fit');
    expect(stepFrom(scene({ image: SMALL }), 'out')).toBe(4);
  });
});

describe('visible', () => {
  it('is the part of the image within the frame', () => {
    expect(visible(place(scene({ image: SMALL, zoom: 1 })), FRAME)).toEqual({ left: 350, right: 450 });
    expect(visible(place(scene({ zoom: 1 })), FRAME)).toEqual({ left: 0, right: 800 });
  });
});
