import { rm } from 'node:fs/promises';
import { refuseFullDisk } from '../../storage/storage-fault.js';
import { PixelFile } from '../codec/pixel-file.js';
import { pipelineOf } from '../codec/pixel-pipeline.js';
import { type MarkTile, markTile } from './mark-tile.js';

/** Height of a letter as a share of the shorter side, and its limits in pixels. */
const LETTER_SHARE = 0.08;
const MIN_LETTER_PIXELS = 6;
const MAX_LETTER_PIXELS = 96;

/**
 * Writes TEST across a sealed picture, into a new file of the same shape. Transparent pixels stay transparent. Rows are
 * written as they are computed. Leaves no file when it throws.
 * @param path of the new file; must end in `.v`
 * @throws AppError `service_unavailable` when the disk is full
 */
export async function markToFile(image: PixelFile, path: string): Promise<PixelFile> {
  const { width, height, channels } = image;
  const share = Math.round(Math.min(width, height) * LETTER_SHARE);
  const tile = cropped(
    markTile(Math.min(MAX_LETTER_PIXELS, Math.max(MIN_LETTER_PIXELS, share))),
    width,
    height,
  );
  const raw = { width: tile.width, height: tile.height, channels: 4 as const };
  const marked = pipelineOf(image).composite([{ input: tile.data, raw, tile: true, blend: 'atop' }]);
  try {
    await (channels === 3 ? marked.removeAlpha() : marked).toFile(path).catch(refuseFullDisk);
    return await PixelFile.adopt(path, { width, height, channels });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Crops the tile to its middle, because the library accepts no overlay that is larger than the picture. */
function cropped(tile: MarkTile, maxWidth: number, maxHeight: number): MarkTile {
  const width = Math.min(tile.width, maxWidth);
  const height = Math.min(tile.height, maxHeight);
  if (width === tile.width && height === tile.height) return tile;
  const left = Math.max(0, Math.min(tile.width - width, Math.round(tile.width / 4 - width / 2)));
  const top = Math.max(0, Math.min(tile.height - height, Math.round(tile.height / 4 - height / 2)));
  const rows = Array.from({ length: height }, (_, row) => {
    const start = ((top + row) * tile.width + left) * 4;
    return tile.data.subarray(start, start + width * 4);
  });
  return { data: Buffer.concat(rows), width, height };
}
