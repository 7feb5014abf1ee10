import { describe, expect, it } from 'vitest';
import { fittingTile, smallestTile } from './fitting-tile.js';
import { TileGrid } from './tile-grid.js';

/** Pixels that the tiles compute, relative to those of the image. */
function computed(width: number, height: number, tile: number, halo: number): number {
  const { count, edge } = new TileGrid(width, height, tile, halo);
  return (count * edge * edge) / (width * height);
}

describe('fittingTile', () => {
  it.each([
    [550, 830, 256, 0],
    [550, 830, 256, 16],
    [300, 300, 256, 8],
    [257, 100, 256, 8],
    [90, 120, 256, 8],
  ])('covers %i × %i with fewer pixels than tiles of %i, halo %i', (width, height, tile, halo) => {
    const fitting = fittingTile({ width, height }, { tile, halo });
    expect(fitting).toBeLessThan(tile);
    expect(fitting % 8).toBe(tile % 8);
    expect(computed(width, height, fitting, halo)).toBeLessThan(0.8 * computed(width, height, tile, halo));
  });

  it.each([
    [512, 512, 256, 16],
    [4096, 3072, 256, 16],
    [20, 20, 32, 4],
  ])('keeps the tile for %i × %i, %i, halo %i', (width, height, tile, halo) => {
    expect(fittingTile({ width, height }, { tile, halo })).toBe(tile);
  });

  it('does not split a large image into many small tiles', () => {
    const fitting = fittingTile({ width: 4000, height: 3000 }, { tile: 256, halo: 16 });
    expect(fitting).toBeGreaterThan(200);
  });
});

describe('smallestTile', () => {
  it.each([
    [256, 64],
    [100, 68],
    [64, 64],
    [31, 31],
  ])('of tiles of %i is %i, which small images get', (tile, smallest) => {
    expect(smallestTile({ tile })).toBe(smallest);
    expect(fittingTile({ width: 1, height: 1 }, { tile, halo: 8 })).toBe(smallest);
  });
});
