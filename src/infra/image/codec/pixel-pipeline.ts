import type { Sharp } from 'sharp';
import type { RawImage } from '../../../kernel/pixels.js';
import { libvips, readOwnFile } from './libvips.js';
import { PixelFile } from './pixel-file.js';

/**
 * The image library over decoded pixels: in memory, or in a sealed file, which it reads from top to bottom.
 */
export function pipelineOf(image: RawImage | PixelFile): Sharp {
  if (image instanceof PixelFile) return readOwnFile(image.path);
  const { data, width, height, channels } = image;
  return libvips()(data, { raw: { width, height, channels }, limitInputPixels: false });
}
