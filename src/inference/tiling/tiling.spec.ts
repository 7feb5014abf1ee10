import { describe, expect, it } from 'vitest';
import type { RawImage } from '../../kernel/pixels.js';
import { cutTile } from './cut-tile.js';
import { pasteTile } from './paste-tile.js';
import { type Tile, TileGrid } from './tile-grid.js';

/** Every pixel differs from its neighbors, so that a shift by one is visible. */
function picture(width: number, height: number, channels: 3 | 4): RawImage {
  const data = Uint8Array.from(
    { length: width * height * channels },
    (_, index) => (index * 37 + (index >> 8)) & 255,
  );
  return { data, width, height, channels };
}

/** The reference definition that the row copies must match. */
function cutPixelByPixel(image: RawImage, x: number, y: number, edge: number): Uint8Array {
  const { width, height, channels, data } = image;
  const square = new Uint8Array(edge * edge * channels);
  for (let row = 0; row < edge; row++) {
    for (let column = 0; column < edge; column++) {
      const sourceY = Math.min(Math.max(y + row, 0), height - 1);
      const sourceX = Math.min(Math.max(x + column, 0), width - 1);
      for (let channel = 0; channel < channels; channel++) {
        square[(row * edge + column) * channels + channel] =
          data[(sourceY * width + sourceX) * channels + channel]!;
      }
    }
  }
  return square;
}

/** Like toEqual, which would take seconds for this many bytes. */
const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Enlarges by repeating pixels, in place of a render graph. */
function enlarge({ data, width, height, channels }: RawImage, scale: number): Uint8Array {
  const out = new Uint8Array(data.length * scale * scale);
  for (let y = 0; y < height * scale; y++) {
    for (let x = 0; x < width * scale; x++) {
      const from = (Math.floor(y / scale) * width + Math.floor(x / scale)) * channels;
      out.set(data.subarray(from, from + channels), (y * width * scale + x) * channels);
    }
  }
  return out;
}

const tilesOf = (grid: TileGrid): Tile[] =>
  [...grid.blocks({ wanted: 1, most: Infinity })].flatMap(({ tiles }) => tiles);

const sizes = [
  [1, 1],
  [17, 3],
  [3, 17],
  [97, 131],
  [33, 33],
  [32, 64],
] as const;

describe('cutTile', () => {
  it.each(sizes)('extends a %i×%i image with its border pixels', (width, height) => {
    for (const channels of [3, 4] as const) {
      const image = picture(width, height, channels);
      for (const tile of tilesOf(new TileGrid(width, height, 32, 11))) {
        const [x, y] = [tile.x - 11, tile.y - 11];
        expect(sameBytes(cutTile(image, x, y, 54), cutPixelByPixel(image, x, y, 54))).toBe(true);
      }
    }
  });

  it('reads a view into a larger buffer, as codecs return it', () => {
    const whole = picture(8, 8, 3);
    const view = { ...whole, height: 4, data: whole.data.subarray(8 * 3 * 4) };
    expect(cutTile(view, -2, -2, 8)).toEqual(cutPixelByPixel(view, -2, -2, 8));
  });

  it('returns a buffer of its own, which can be moved to another thread', () => {
    expect(cutTile(picture(4, 4, 4), 0, 0, 2).buffer.byteLength).toBe(16);
  });
});

describe('TileGrid', () => {
  it.each(sizes)('covers every pixel of %i×%i once', (width, height) => {
    const grid = new TileGrid(width, height, 32, 8);
    const seen = new Uint8Array(width * height);
    let count = 0;
    for (const tile of tilesOf(grid)) {
      count++;
      for (let y = tile.y; y < tile.y + tile.height; y++)
        for (let x = tile.x; x < tile.x + tile.width; x++) seen[y * width + x]!++;
    }
    expect(count).toBe(grid.count);
    expect(seen).toEqual(new Uint8Array(width * height).fill(1));
  });

  it.each([
    { wanted: 1, most: 1 },
    { wanted: 1, most: 2 },
    { wanted: 9, most: 3 },
    { wanted: 5, most: 100 },
    { wanted: 100, most: 100 },
  ])('splits into blocks of at most $most tiles, $wanted where there is room', ({ wanted, most }) => {
    const grid = new TileGrid(200, 131, 32, 8);
    const blocks = [...grid.blocks({ wanted, most })];
    const places = (tiles: readonly Tile[]): string[] =>
      tiles.map(({ x, y, width, height }) => `${x},${y},${width},${height}`);
    expect(places(blocks.flatMap(({ tiles }) => tiles)).toSorted()).toEqual(places(tilesOf(grid)).toSorted());
    for (const block of blocks) {
      expect(block.tiles.length).toBeLessThanOrEqual(most);
      const area = block.tiles.reduce((sum, { width, height }) => sum + width * height, 0);
      expect(area).toBe(block.width * block.height);
    }
    // Seven columns: whole rows as soon as they fit.
    const rows = most < 7 ? 0 : Math.ceil(wanted / 7);
    if (rows > 0) expect(blocks[0]).toMatchObject({ width: 200, height: Math.min(131, rows * 32) });
  });

  it('computes the region of a block with its halo, clipped to the image', () => {
    const grid = new TileGrid(100, 90, 32, 8);
    expect(grid.seenBy({ x: 32, y: 32, width: 32, height: 32 })).toEqual({
      x: 24,
      y: 24,
      width: 48,
      height: 48,
    });
    expect(grid.seenBy({ x: 0, y: 64, width: 100, height: 26 })).toEqual({
      x: 0,
      y: 56,
      width: 100,
      height: 34,
    });
  });

  it('returns the position of a tile with its halo in the image, as y0, x0, y1, x1', () => {
    const grid = new TileGrid(100, 50, 40, 5);
    const [first, second] = tilesOf(grid);
    expect(grid.window(first!)).toEqual([-5 / 50, -5 / 100, 45 / 50, 45 / 100]);
    expect(grid.window(second!)).toEqual([-5 / 50, 35 / 100, 45 / 50, 85 / 100]);
  });
});

describe('pasteTile', () => {
  it.each(sizes)('reassembles a tiled %i×%i image, exactly enlarged', (width, height) => {
    for (const [channels, scale] of [
      [3, 1],
      [4, 1],
      [3, 2],
      [4, 4],
    ] as const) {
      const image = picture(width, height, channels);
      const result = {
        data: new Uint8Array(width * height * scale * scale * channels),
        width: width * scale,
        height: height * scale,
        channels,
      };
      const grid = new TileGrid(width, height, 32, 5);
      for (const tile of tilesOf(grid)) {
        const data = cutTile(image, tile.x - 5, tile.y - 5, 42);
        const square = enlarge({ data, width: 42, height: 42, channels }, scale);
        pasteTile(result, square, tile, { edge: 42, halo: 5, scale });
      }
      expect(sameBytes(result.data, enlarge(image, scale))).toBe(true);
    }
  });
});
