import type { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { type FoundDifference, PictureDifference } from './picture-difference.js';

/** Small enough not to block the event loop, large enough to need few reads. */
const STRIP_BYTES = 512 * 1024;

/** Compares two pictures of the same shape, strip by strip. @throws the reason of the signal */
export async function differenceOf(
  a: PixelFile,
  b: PixelFile,
  isMatte: boolean,
  signal: AbortSignal,
): Promise<FoundDifference> {
  const { width, height, channels } = a;
  const difference = new PictureDifference(channels, isMatte);
  const rows = Math.max(1, Math.floor(STRIP_BYTES / (width * channels)));
  const strips = [0, 1].map(() => new Uint8Array(Math.min(rows, height) * width * channels));
  for (let y = 0; y < height; y += rows) {
    signal.throwIfAborted();
    const region = { x: 0, y, width, height: Math.min(rows, height - y) };
    const [one, other] = strips.map((strip) => strip.subarray(0, region.height * width * channels));
    await Promise.all([a.read(region, one!), b.read(region, other!)]);
    difference.add(one!, other!);
  }
  return difference.found();
}
