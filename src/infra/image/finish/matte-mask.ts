import { rm } from 'node:fs/promises';
import type { PixelShape, PixelSource } from '../../../kernel/pixels.js';
import { refuseFullDisk } from '../../storage/storage-fault.js';
import { PixelFile } from '../codec/pixel-file.js';
import { pipelineOf } from '../codec/pixel-pipeline.js';
import type { FinishRoom } from './finish-picture.js';
import { stripsOf } from './strips.js';

/** Gray values between these leave the matte unchanged. */
const NEUTRAL = { above: 120, below: 136 } as const;
/** Gray values up to `erase` make a pixel fully transparent; values from `keep` on make it fully opaque. */
const FULL = { erase: 8, keep: 247 } as const;
/** The color that transparent pixels of the mask count as. */
const GRAY = { r: 128, g: 128, b: 128 };
/** The standard deviation of soft edges: a share of the longer side, but at least `minPixels`. */
const EDGE = { share: 1 / 1_600, minPixels: 0.8 } as const;

/**
 * Corrects a cutout with a mask: white keeps a pixel, black erases it, and mid-gray leaves it as the model cut it.
 * Values in between act partially. The mask is scaled to the cutout. The correction is exact inside painted areas and
 * fades out over a few pixels outside them.
 * @param cutout RGBA, sealed; changed in place
 * @param source the image from which the cutout was made, for the colors of kept pixels; null when it has another size
 * @param mask sealed; removed when this succeeds
 * @throws AppError `service_unavailable` when the disk is full; the reason of the signal
 */
export async function applyMask(
  cutout: PixelFile,
  source: PixelSource | null,
  mask: PixelFile,
  room: FinishRoom,
): Promise<void> {
  const { width, height } = cutout;
  const sigma = Math.max(EDGE.minPixels, Math.max(width, height) * EDGE.share);
  const exact = room.kept(await scaled(mask, room.path('mask-exact.v'), cutout));
  const soft = room.kept(await scaled(mask, room.path('mask-soft.v'), cutout, sigma));
  await mask.remove();
  const colors = source ?? cutout;
  for (const strip of stripsOf(cutout)) {
    room.signal.throwIfAborted();
    const region = { x: 0, y: strip.y, width, height: strip.height };
    const rows = await rowsOf(cutout, region);
    const masks = { exact: await rowsOf(exact, region), soft: await rowsOf(soft, region) };
    maskStrip(rows, masks, await rowsOf(colors, region), colors.channels);
    await cutout.write(region, rows);
  }
  await exact.remove();
  await soft.remove();
}

type Area = Parameters<PixelSource['read']>[0];

async function rowsOf(image: PixelSource, area: Area): Promise<Uint8Array> {
  const rows = new Uint8Array(area.width * area.height * image.channels);
  await image.read(area, rows);
  return rows;
}

/** Scales the mask to the size of the cutout. The linear kernel does not overshoot at edges. */
async function scaled(
  mask: PixelFile,
  path: string,
  { width, height }: PixelShape,
  sigma?: number,
): Promise<PixelFile> {
  const pixels = pipelineOf(mask)
    .flatten({ background: GRAY })
    .resize({ width, height, fit: 'fill', kernel: 'linear' });
  if (sigma !== undefined) pixels.blur({ sigma });
  try {
    await pixels.toFile(path).catch(refuseFullDisk);
    return await PixelFile.adopt(path, { width, height, channels: 3 });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Applies one strip of the mask.
 * @param rows RGBA with straight alpha; changed in place
 * @param masks RGB rows of the mask, unchanged and blurred; only the first channel is used
 * @param colors rows with the colors of kept pixels
 */
export function maskStrip(
  rows: Uint8Array,
  { exact, soft }: { readonly exact: Uint8Array; readonly soft: Uint8Array },
  colors: Uint8Array,
  channels: 3 | 4,
): void {
  for (let at = 0, from = 0, to = 0; to < rows.length; at += 3, from += channels, to += 4) {
    const painted = exact[at]!;
    const isPainted = painted >= NEUTRAL.below || painted <= NEUTRAL.above;
    const gray = isPainted ? painted : soft[at]!;
    const alpha = rows[to + 3]!;
    if (gray < NEUTRAL.above) {
      const erased = Math.min(1, (NEUTRAL.above - gray) / (NEUTRAL.above - FULL.erase));
      rows[to + 3] = alpha * (1 - erased) + 0.5;
    } else if (gray > NEUTRAL.below) {
      const kept = Math.min(1, (gray - NEUTRAL.below) / (FULL.keep - NEUTRAL.below));
      const opacity = alpha + (255 - alpha) * kept;
      const share = (255 * kept) / opacity;
      rows[to] = rows[to]! * (1 - share) + colors[from]! * share + 0.5;
      rows[to + 1] = rows[to + 1]! * (1 - share) + colors[from + 1]! * share + 0.5;
      rows[to + 2] = rows[to + 2]! * (1 - share) + colors[from + 2]! * share + 0.5;
      rows[to + 3] = opacity + 0.5;
    }
  }
}
