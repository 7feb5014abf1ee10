/** Where one tile lies, in source pixels. The square read from the image is `edge` = tile + 2 × halo wide. */
export interface Tile {
  /** Left and top of the useful part. */
  readonly x: number;
  readonly y: number;
  /** Useful part inside the image: at most `tile`, less at the right and bottom border. */
  readonly width: number;
  readonly height: number;
}

/** The equal tiles that cover an image, row by row. Every tile is read at full size, past the border if need be. */
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

  *tiles(): Generator<Tile, undefined, undefined> {
    for (let y = 0; y < this.height; y += this.tile) {
      for (let x = 0; x < this.width; x += this.tile) {
        const width = Math.min(this.tile, this.width - x);
        const height = Math.min(this.tile, this.height - y);
        yield { x, y, width, height };
      }
    }
  }

  /** The square with its halo as (y0, x0, y1, x1) in units of the whole image; outside 0..1 past the border. */
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
}
