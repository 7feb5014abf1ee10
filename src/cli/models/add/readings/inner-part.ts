import type { RawImage } from '../../../../kernel/pixels.js';
import type { Extent } from './drawn-pictures.js';

/** Border of each picture, in source pixels, that is not compared: a network's padding depends on its units. */
const MARGIN = 8;
/** Smaller pictures are compared completely. */
const MIN_EDGE = 48;

/** [C,H,W] of a result without its border. The result is `scale` times as large as the picture. */
export function innerPlanes(planes: Float32Array, { width, height }: Extent, scale: number): Float32Array {
  const margin = marginOf({ width, height }) * scale;
  const [across, down] = [width * scale, height * scale];
  const [innerAcross, innerDown] = [across - 2 * margin, down - 2 * margin];
  const count = planes.length / (across * down);
  const out = new Float32Array(count * innerAcross * innerDown);
  for (let channel = 0; channel < count; channel++)
    for (let y = 0; y < innerDown; y++) {
      const from = (channel * down + margin + y) * across + margin;
      out.set(planes.subarray(from, from + innerAcross), (channel * innerDown + y) * innerAcross);
    }
  return out;
}

/** The corresponding part of the picture itself. */
export function innerPicture({ data, width, height, channels }: RawImage): RawImage {
  const margin = marginOf({ width, height });
  const [innerWidth, innerHeight] = [width - 2 * margin, height - 2 * margin];
  const out = new Uint8Array(innerWidth * innerHeight * channels);
  for (let y = 0; y < innerHeight; y++) {
    const from = ((margin + y) * width + margin) * channels;
    out.set(data.subarray(from, from + innerWidth * channels), y * innerWidth * channels);
  }
  return { data: out, width: innerWidth, height: innerHeight, channels };
}

function marginOf({ width, height }: Extent): number {
  return Math.min(width, height) < MIN_EDGE ? 0 : MARGIN;
}
