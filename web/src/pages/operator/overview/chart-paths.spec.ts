import { describe, expect, it } from 'vitest';
import { chartPaths, HEIGHT, WIDTH } from './chart-paths.js';

const at = (minute: number, value: number | null) => ({ atMs: minute * 60_000, value });

describe('chartPaths', () => {
  it('draws from zero to the peak', () => {
    const { line, area, dots } = chartPaths([at(0, 0), at(1, 10)], 60_000);
    expect(line).toBe(`M2 ${HEIGHT - 2}L${WIDTH - 2} 2`);
    expect(area).toBe(`M2 ${HEIGHT}L2 ${HEIGHT - 2}L${WIDTH - 2} 2L${WIDTH - 2} ${HEIGHT}Z`);
    expect(dots).toBe('');
  });

  it('breaks the line where minutes are missing or unknown, and keeps single points', () => {
    const points = [at(0, 1), at(1, 1), at(5, 1), at(6, null), at(8, 1), at(9, 1)];
    const { line, dots } = chartPaths(points, 60_000);
    expect(line.match(/M/g)).toHaveLength(2);
    expect(dots.match(/M/g)).toHaveLength(1);
  });

  it('draws zeros at the bottom, and a single point in the middle', () => {
    expect(chartPaths([at(0, 0), at(1, 0)], 60_000).line).toBe(`M2 ${HEIGHT - 2}L${WIDTH - 2} ${HEIGHT - 2}`);
    expect(chartPaths([at(7, 3)], 60_000).dots).toBe(`M${WIDTH / 2} 2h0.1`);
  });
});
