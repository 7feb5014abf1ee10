import { describe, expect, it } from 'vitest';
import { maskSize, NO_STROKES, type Stroke, strokesReducer } from './strokes.js';

const stroke = (radius: number): Stroke => ({ brush: 'keep', radius, points: [{ x: 1, y: 1 }] });
const add = (radius: number) => ({ kind: 'add', stroke: stroke(radius) }) as const;

describe('strokesReducer', () => {
  it('undoes and redoes in order, and drops undone strokes when something new is painted', () => {
    let strokes = [add(1), add(2), add(3)].reduce(strokesReducer, NO_STROKES);
    strokes = strokesReducer(strokesReducer(strokes, { kind: 'undo' }), { kind: 'undo' });
    expect(strokes.done).toEqual([stroke(1)]);
    strokes = strokesReducer(strokes, { kind: 'redo' });
    expect(strokes).toEqual({ done: [stroke(1), stroke(2)], undone: [stroke(3)] });
    expect(strokesReducer(strokes, add(4))).toEqual({ done: [stroke(1), stroke(2), stroke(4)], undone: [] });
  });

  it('does nothing where there is nothing to undo or redo', () => {
    expect(strokesReducer(NO_STROKES, { kind: 'undo' })).toEqual(NO_STROKES);
    expect(strokesReducer(NO_STROKES, { kind: 'redo' })).toEqual(NO_STROKES);
  });
});

describe('maskSize', () => {
  it('keeps the proportions of the picture, with at most 2,048 pixels on a side', () => {
    expect(maskSize({ width: 4_000, height: 3_000 })).toEqual({ width: 2_048, height: 1_536 });
    expect(maskSize({ width: 640, height: 480 })).toEqual({ width: 640, height: 480 });
    expect(maskSize({ width: 10_000, height: 1 })).toEqual({ width: 2_048, height: 1 });
  });
});
