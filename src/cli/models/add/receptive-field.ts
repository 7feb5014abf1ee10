import type { RawImage } from '../../../kernel/pixels.js';
import type { RawResult } from './readings/raw-result.js';

/**
 * Measures the distance, in source pixels, over which a pixel changes the result by more than half a step of 255, by
 * changing one pixel. Null when it reaches the border, because the result then depends on the whole image.
 * @param unit one step of 255, in the units of the output
 */
export async function receptiveField(
  image: RawImage,
  run: (image: RawImage) => Promise<RawResult | null>,
  scale: number,
  unit: number,
): Promise<number | null> {
  const [y, x] = [image.height >> 1, image.width >> 1];
  const touched = new Uint8Array(image.data);
  const at = (y * image.width + x) * 3;
  for (let channel = 0; channel < 3; channel++)
    touched[at + channel] = touched[at + channel]! < 128 ? 255 : 0;
  const [before, after] = [await run(image), await run({ ...image, data: touched })];
  if (before === null || after === null || before.height !== image.height * scale) return null;
  let reach = 0;
  for (let row = 0; row < before.height; row++) {
    for (let column = 0; column < before.width; column++) {
      const distance = Math.max(Math.abs(row / scale - y), Math.abs(column / scale - x));
      if (distance > reach && differs(before, after, row * before.width + column, unit / 2)) reach = distance;
    }
  }
  return reach > Math.min(x, y) - 2 ? null : Math.ceil(reach);
}

function differs(a: RawResult, b: RawResult, pixel: number, least: number): boolean {
  const size = a.height * a.width;
  for (let at = pixel; at < a.channels * size; at += size)
    if (Math.abs(a.planes[at]! - b.planes[at]!) > least) return true;
  return false;
}
