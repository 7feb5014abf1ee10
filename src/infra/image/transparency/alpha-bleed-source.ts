import type { PixelShape, PixelSource, Region } from '../../../kernel/pixels.js';
import { stripsOf } from '../finish/strips.js';
import { alphaOf, BLEED_REACH_PIXELS, bledPixels } from './alpha-bleed.js';

/** Pixels of one strip: many rows compared with those around it, and yet few megabytes. */
const STRIP_PIXELS = 2 ** 19;

/**
 * The pixels that a network enlarges. It takes the color of transparent pixels for a part of the picture, so that a
 * black background would darken the edges of a cutout: they get the color of the nearest visible pixels.
 */
export function enlargeable(source: PixelSource, scale: number): PixelSource {
  return scale > 1 && source.channels === 4 ? new AlphaBleedSource(source) : source;
}

/** Fills transparent pixels while they are read, strip by strip. Strips without edges are only looked at. */
class AlphaBleedSource implements PixelSource {
  readonly channels = 4;
  readonly width: number;
  readonly height: number;

  constructor(private readonly source: PixelSource) {
    this.width = source.width;
    this.height = source.height;
  }

  async read(region: Region, into: Uint8Array): Promise<void> {
    await this.source.read(region, into);
    const rowBytes = region.width * 4;
    for (const { y, height } of stripsOf(region, STRIP_PIXELS)) {
      const strip = { ...region, y: region.y + y, height };
      const rows = into.subarray(y * rowBytes, (y + height) * rowBytes);
      if ((await alphaOf({ ...strip, channels: 4, data: rows })).includes(0)) await this.bleed(strip, rows);
    }
  }

  private async bleed(region: Region, into: Uint8Array): Promise<void> {
    const around = grown(region, this);
    const seen = new Uint8Array(around.width * around.height * 4);
    await this.source.read(around, seen);
    const image = { ...around, channels: 4, data: seen } as const;
    if (isClear(await alphaOf(image))) return;
    const bled = await bledPixels(image);
    const rowBytes = region.width * 4;
    for (let row = 0; row < region.height; row++) {
      const at = ((region.y - around.y + row) * around.width + region.x - around.x) * 4;
      into.set(bled.subarray(at, at + rowBytes), row * rowBytes);
    }
  }
}

function isClear(alpha: Buffer): boolean {
  return alpha.equals(Buffer.alloc(alpha.length));
}

/** A region with everything that its pixels depend on. */
function grown({ x, y, width, height }: Region, image: PixelShape): Region {
  const left = Math.max(0, x - BLEED_REACH_PIXELS);
  const top = Math.max(0, y - BLEED_REACH_PIXELS);
  return {
    x: left,
    y: top,
    width: Math.min(image.width, x + width + BLEED_REACH_PIXELS) - left,
    height: Math.min(image.height, y + height + BLEED_REACH_PIXELS) - top,
  };
}
