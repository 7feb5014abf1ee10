import type { PixelShape, PixelSink, PixelSource, RawImage, Region } from '../kernel/pixels.js';

/** A pixel source over an image in memory. */
export class InMemorySource implements PixelSource {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;

  constructor(private readonly image: RawImage) {
    this.width = image.width;
    this.height = image.height;
    this.channels = image.channels;
  }

  async read(region: Region, into: Uint8Array): Promise<void> {
    const rowBytes = region.width * this.channels;
    forEachRow(this, region, (row, at) => {
      into.set(this.image.data.subarray(at, at + rowBytes), row * rowBytes);
    });
  }
}

/** A pixel target in memory, for small images. */
export class InMemorySink implements PixelSink {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly image: RawImage;

  constructor({ width, height, channels }: PixelShape) {
    this.width = width;
    this.height = height;
    this.channels = channels;
    this.image = { width, height, channels, data: new Uint8Array(width * height * channels) };
  }

  async write(region: Region, rows: Uint8Array): Promise<void> {
    const rowBytes = region.width * this.channels;
    forEachRow(this, region, (row, at) => {
      this.image.data.set(rows.subarray(row * rowBytes, (row + 1) * rowBytes), at);
    });
  }
}

/** `at`: the offset of the region's row in the whole image, bytes. */
function forEachRow(shape: PixelShape, region: Region, visit: (row: number, at: number) => void): void {
  for (let row = 0; row < region.height; row++)
    visit(row, ((region.y + row) * shape.width + region.x) * shape.channels);
}
