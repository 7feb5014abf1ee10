import { describe, expect, it } from 'vitest';
import { Drawing } from './drawing.js';

const SIZE = 40;

describe('an ellipse of a drawing', () => {
  it.each([
    [[0.5, 0.5, 0.2, 0.3]],
    [[0.5, 1.15, 0.42, 0.42]],
    [[-0.1, 0.3, 0.25, 0.013]],
    [[0.4, 0.4, 3, 3]],
    [[2, 2, 0.1, 0.1]],
  ] as const)('covers every pixel whose center is inside: %j', (place) => {
    const [centerX, centerY, radiusX, radiusY] = place;
    const inside: number[] = [];
    for (let at = 0; at < SIZE * SIZE; at++) {
      const u = (((at % SIZE) + 0.5) / SIZE - centerX) / radiusX;
      const v = ((Math.floor(at / SIZE) + 0.5) / SIZE - centerY) / radiusY;
      if (u * u + v * v < 1) inside.push(at);
    }
    const covered: number[] = [];
    const drawing = new Drawing(SIZE, [0, 0, 0], 1);
    drawing.ellipse(place, [200, 100, 50], { shade: 0.5, covered: (at) => void covered.push(at) });
    expect(covered).toEqual(inside);
    const { data } = drawing.picture();
    const painted = Array.from({ length: SIZE * SIZE }, (_, at) => at).filter((at) => data[at * 3]! > 0);
    expect(painted).toEqual(inside);
  });
});
