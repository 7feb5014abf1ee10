import type { Region } from '../../kernel/pixels.js';

/**
 * The position of one tile, in source pixels: the useful part inside the image, at most `tile` wide and high, smaller
 * at the right and bottom border. The square that is read is `edge` = tile + 2 × halo wide.
 */
export type Tile = Region;

/** Neighboring tiles that are read from the source and written to the result together. */
export interface TileBlock extends Region {
  readonly tiles: readonly Tile[];
}

/**
 * Equal tiles that cover an image, row by row. Every tile is read at full size, even past the border.
 */
export class TileGrid {
  readonly edge: number;
  private readonly columns: number;

  /** @param tile edge of the useful part, @param halo pixels around it; all in source pixels */
  constructor(
    readonly width: number,
    readonly height: number,
    readonly tile: number,
    readonly halo: number,
  ) {
    this.edge = tile + 2 * halo;
    this.columns = Math.ceil(width / tile);
  }

  get count(): number {
    return this.columns * Math.ceil(this.height / this.tile);
  }

  /**
   * The tiles in blocks of neighbors: if `most` allows it, enough whole rows of tiles to hold `wanted` tiles; otherwise
   * equal parts of one row.
   */
  *blocks({ wanted, most }: { wanted: number; most: number }): Generator<TileBlock, undefined, undefined> {
    const { tile, columns } = this;
    const parts = Math.ceil(columns / Math.max(1, most));
    const strideX = Math.ceil(columns / parts) * tile;
    const rows = Math.max(1, Math.min(Math.ceil(wanted / columns), Math.floor(most / columns)));
    for (let y = 0; y < this.height; y += rows * tile) {
      const height = Math.min(rows * tile, this.height - y);
      for (let x = 0; x < this.width; x += strideX) {
        const width = Math.min(strideX, this.width - x);
        yield { x, y, width, height, tiles: this.tilesOf({ x, y, width, height }) };
      }
    }
  }

  /** The part of the image that the tiles of a block need, including their halo. */
  seenBy({ x, y, width, height }: Region): Region {
    const left = Math.max(0, x - this.halo);
    const top = Math.max(0, y - this.halo);
    const right = Math.min(this.width, x + width + this.halo);
    const bottom = Math.min(this.height, y + height + this.halo);
    return { x: left, y: top, width: right - left, height: bottom - top };
  }

  /**
   * The square with its halo as (y0, x0, y1, x1) in units of the whole image; outside 0..1 past the border.
   */
  window({ x, y }: Tile): readonly [number, number, number, number] {
    const top = y - this.halo;
    const left = x - this.halo;
    return [
      top / this.height,
      left / this.width,
      (top + this.edge) / this.height,
      (left + this.edge) / this.width,
    ];
  }

  private tilesOf({ x, y, width, height }: Region): readonly Tile[] {
    const { tile } = this;
    const columns = Math.ceil(width / tile);
    return Array.from({ length: columns * Math.ceil(height / tile) }, (_, index) => {
      const [left, top] = [(index % columns) * tile, Math.floor(index / columns) * tile];
      return {
        x: x + left,
        y: y + top,
        width: Math.min(tile, width - left),
        height: Math.min(tile, height - top),
      };
    });
  }
}
