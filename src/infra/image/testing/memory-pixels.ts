import type { PixelShape, PixelSink, PixelSource, Region } from '../../../kernel/pixels.js';

/** Pixels in memory, for specs of code that reads and writes pixel files. */
export class MemoryPixels implements PixelSource, PixelSink {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;

  constructor(
    shape: PixelShape,
    readonly data: Uint8Array = new Uint8Array(shape.width * shape.height * shape.channels),
  ) {
    this.width = shape.width;
    this.height = shape.height;
    this.channels = shape.channels;
  }

  async read(region: Region, into: Uint8Array): Promise<void> {
    for (let row = 0; row < region.height; row++) {
      const at = this.at(region, row);
      into.set(this.data.subarray(at, at + region.width * this.channels), row * region.width * this.channels);
    }
    return Promise.resolve();
  }

  async write(region: Region, rows: Uint8Array): Promise<void> {
    const rowBytes = region.width * this.channels;
    for (let row = 0; row < region.height; row++)
      this.data.set(rows.subarray(row * rowBytes, (row + 1) * rowBytes), this.at(region, row));
    return Promise.resolve();
  }

  pixel(x: number, y: number): number[] {
    const at = this.at({ x, y }, 0);
    return Array.from(this.data.subarray(at, at + this.channels));
  }

  private at({ x, y }: Pick<Region, 'x' | 'y'>, row: number): number {
    return ((y + row) * this.width + x) * this.channels;
  }
}
