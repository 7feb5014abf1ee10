import type { Sharp } from 'sharp';
import type { RawImage } from '../../../kernel/pixels.js';
import type { PixelFile } from './pixel-file.js';
import { pipelineOf } from './pixel-pipeline.js';

/** The color that replaces transparent pixels for an analysis. */
const MID_GRAY = { r: 128, g: 128, b: 128 };

/**
 * The whole image at the fixed size that an analysis expects: `size` × `size` × 3, aspect squashed, alpha flattened
 * on mid gray, pixel centers aligned (pixel i of n covers [i/n, (i+1)/n], as the maps in the graphs assume).
 *
 * The library shrinks with aligned centers (a triangle kernel over the covered area, like Pillow's BILINEAR; measured
 * within 0.02 output pixels), but does not *enlarge* with aligned centers. Therefore a side that is too short is first
 * replicated by a whole factor, which keeps every edge in place, and then shrunk.
 * @param size width and height of the result in pixels
 */
export async function analysisImage(image: RawImage | PixelFile, size: number): Promise<RawImage> {
  // Long sides first: replicating a short side beside a side of 50,000 pixels would waste memory.
  const [width, height] = [Math.min(image.width, size), Math.min(image.height, size)];
  const shrunk = await resized(pipelineOf(image).flatten({ background: MID_GRAY }), width, height, 'linear');
  if (width === size && height === size) return shrunk;
  const replicated = await resized(
    pipelineOf(shrunk),
    width * Math.ceil(size / width),
    height * Math.ceil(size / height),
    'nearest',
  );
  return resized(pipelineOf(replicated), size, size, 'linear');
}

async function resized(
  pixels: Sharp,
  width: number,
  height: number,
  kernel: 'linear' | 'nearest',
): Promise<RawImage> {
  // The library does not change a side that has the right size.
  const data = await pixels.resize(width, height, { kernel, fit: 'fill' }).raw().toBuffer();
  return { data, width, height, channels: 3 };
}
