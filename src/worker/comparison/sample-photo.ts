import { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { resizeToFile } from '../../infra/image/finish/resize.js';
import type { ScratchDir } from '../../infra/storage/scratch.js';

/** The longer side of a result: large enough to judge it at full size, small enough for two CPU cores. Pixels. */
export const RESULT_SIDE_PIXELS = 2_048;

/**
 * The photo as versions are compared on it: shrunk until the result fits into `RESULT_SIDE_PIXELS`, or, where a version
 * enlarges it, the center of it at full size, because a shrunk photo is sharper than any that people enlarge.
 * @param scale result pixels per source pixel, the largest of the versions
 * @returns the file itself when it is small enough, otherwise a new sealed one
 */
export async function samplePhoto(photo: PixelFile, scale: number, room: ScratchDir): Promise<PixelFile> {
  const side = Math.floor(RESULT_SIDE_PIXELS / scale);
  const { width, height } = photo;
  const longer = Math.max(width, height);
  if (longer <= side) return photo;
  if (scale > 1) return centerOf(photo, side, room.path('sample.tif'));
  const shrunk = (length: number): number => Math.max(1, Math.round((length * side) / longer));
  return resizeToFile(photo, room.path('sample.v'), {
    width: shrunk(width),
    height: shrunk(height),
    fit: 'fill',
  });
}

/** @param side of the largest square that the crop fits into */
async function centerOf(photo: PixelFile, side: number, path: string): Promise<PixelFile> {
  const { channels } = photo;
  const [width, height] = [Math.min(photo.width, side), Math.min(photo.height, side)];
  const rows = new Uint8Array(width * height * channels);
  const [x, y] = [(photo.width - width) >> 1, (photo.height - height) >> 1];
  await photo.read({ x, y, width, height }, rows);
  const sample = await PixelFile.create(path, { width, height, channels });
  await sample.write({ x: 0, y: 0, width, height }, rows);
  await sample.seal();
  return sample;
}
