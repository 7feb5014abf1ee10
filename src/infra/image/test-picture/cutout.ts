import type { PixelShape } from '../../../kernel/pixels.js';
import { PixelFile } from '../codec/pixel-file.js';
import { stripsOf } from '../finish/strips.js';

/** Semi-axes of the oval, as shares of the sides. */
const RADIUS = 0.42;
/** Width of its soft edge, as a share of the radius. */
const SOFT_EDGE = 0.03;

/**
 * Makes everything outside a central oval of the image transparent, in a new RGBA file. Keeps the image's transparency.
 * @param signal stops the work between strips
 */
export async function cutoutToFile(image: PixelFile, path: string, signal: AbortSignal): Promise<PixelFile> {
  const { width, height, channels } = image;
  const target = await PixelFile.create(path, { width, height, channels: 4 });
  try {
    for (const strip of stripsOf(image)) {
      signal.throwIfAborted();
      const region = { x: 0, y: strip.y, width, height: strip.height };
      const from = new Uint8Array(width * strip.height * channels);
      await image.read(region, from);
      await target.write(region, cutStrip(from, image, strip.y));
    }
    await target.seal();
    return target;
  } catch (error) {
    await target.remove();
    throw error;
  }
}

/** @param from rows of the image from `y` on @returns the same as RGBA */
function cutStrip(from: Uint8Array, { width, height, channels }: PixelShape, y: number): Uint8Array {
  const to = new Uint8Array((from.length / channels) * 4);
  for (let at = 0, pixel = 0; at < from.length; at += channels, pixel += 1) {
    const opacity = opacityAt(pixel % width, y + Math.floor(pixel / width), width, height);
    const target = pixel * 4;
    to[target] = from[at]!;
    to[target + 1] = from[at + 1]!;
    to[target + 2] = from[at + 2]!;
    to[target + 3] = Math.round(opacity * (channels === 4 ? from[at + 3]! : 255));
  }
  return to;
}

/** Opacity of a pixel, 0–1. */
function opacityAt(x: number, y: number, width: number, height: number): number {
  const across = ((x + 0.5) / width - 0.5) / RADIUS;
  const down = ((y + 0.5) / height - 0.5) / RADIUS;
  const distance = Math.hypot(across, down);
  return Math.min(1, Math.max(0, (1 - distance) / SOFT_EDGE + 0.5));
}
