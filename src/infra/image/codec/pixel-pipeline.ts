import type { Sharp } from 'sharp';
import type { PixelShape, RawImage } from '../../../kernel/pixels.js';
import { libvips, readOwnFile } from './libvips.js';

/** A sealed pixel file, possibly from another process; see `PixelFile`. */
export interface SealedPixels extends PixelShape {
  readonly path: string;
}

export function isSealed(image: RawImage | SealedPixels): image is SealedPixels {
  return 'path' in image;
}

/**
 * The image library over decoded pixels: in memory, or in a sealed file, which it reads from top to bottom.
 */
export function pipelineOf(image: RawImage | SealedPixels): Sharp {
  if (isSealed(image)) return readOwnFile(image.path);
  const { data, width, height, channels } = image;
  return libvips()(data, { raw: { width, height, channels }, limitInputPixels: false });
}
