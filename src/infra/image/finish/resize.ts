import { rm } from 'node:fs/promises';
import type { PixelShape } from '../../../kernel/pixels.js';
import { refuseFullDisk } from '../../storage/storage-fault.js';
import { PixelFile } from '../codec/pixel-file.js';
import { pipelineOf } from '../codec/pixel-pipeline.js';

/** How an image gets its exact size: stretched, cropped at its center, or whole with transparent bars. */
export type ExactFit = 'fill' | 'cover' | 'contain';

/**
 * Resamples a sealed image to an exact size with the Lanczos kernel, into a new file. Rows are written as they are
 * computed, so it needs a few megabytes regardless of the sizes. Leaves no file when it throws.
 * @param path of the new file; must end in `.v`, which selects the library's output format
 * @throws AppError `service_unavailable` when the disk is full
 */
export async function resizeToFile(
  image: PixelFile,
  path: string,
  { width, height, fit }: { readonly width: number; readonly height: number; readonly fit: ExactFit },
): Promise<PixelFile> {
  const pixels = pipelineOf(image);
  // The bars need an alpha channel.
  const hasBars = fit === 'contain';
  if (hasBars) pixels.ensureAlpha();
  const shape: PixelShape = { width, height, channels: hasBars ? 4 : image.channels };
  try {
    await pixels
      .resize({ width, height, fit, kernel: 'lanczos3', background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .toFile(path)
      .catch(refuseFullDisk);
    return await PixelFile.adopt(path, shape);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
