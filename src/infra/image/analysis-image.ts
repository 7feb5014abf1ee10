import type { RawImage } from '../../kernel/pixels.js';
import { libvips } from './libvips.js';

/** What transparent pixels are shown to an analysis as. */
const MID_GREY = { r: 128, g: 128, b: 128 };

/**
 * The whole image at the fixed size that an analysis takes: `size` × `size` × 3, aspect squashed, alpha flattened
 * on mid grey, pixel centres aligned (pixel i of n covers [i/n, (i+1)/n], as the maps in the graphs assume).
 *
 * The library shrinks with aligned centres (a triangle kernel over the covered area, like Pillow's BILINEAR;
 * measured within 0.02 output pixels), but it does not *enlarge* with aligned centres. A side that is too short is
 * therefore first replicated by a whole factor, which keeps every edge where it is, and then shrunk.
 * @param size edge of the result in pixels.
 */
export async function analysisImage(image: RawImage, size: number): Promise<RawImage> {
  const opaque = await flattened(image);
  // Long sides first: replicating a short side beside a side of 50,000 pixels would cost memory for nothing.
  const shrunk = await resized(opaque, Math.min(image.width, size), Math.min(image.height, size), 'linear');
  const replicated = await resized(
    shrunk,
    shrunk.width * Math.ceil(size / shrunk.width),
    shrunk.height * Math.ceil(size / shrunk.height),
    'nearest',
  );
  return resized(replicated, size, size, 'linear');
}

async function flattened(image: RawImage): Promise<RawImage> {
  if (image.channels === 3) return image;
  const { data, info } = await pipelineOf(image)
    .flatten({ background: MID_GREY })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 3 };
}

async function resized(
  image: RawImage,
  width: number,
  height: number,
  kernel: 'linear' | 'nearest',
): Promise<RawImage> {
  if (image.width === width && image.height === height) return image;
  const data = await pipelineOf(image).resize(width, height, { kernel, fit: 'fill' }).raw().toBuffer();
  return { data, width, height, channels: image.channels };
}

function pipelineOf({ data, width, height, channels }: RawImage) {
  return libvips()(data, { raw: { width, height, channels }, limitInputPixels: false });
}
