import { damaged, refuseHdr } from '../codec/refusals.js';
import type { ByteReader } from './byte-reader.js';
import { FieldCursor } from './field-cursor.js';
import { boxesBetween, type MediaBox } from './media-box.js';
import type { PartCount } from './structure.js';

/** Colors by tables 2 and 3 of ITU-T H.273. */
export interface CodePoints {
  readonly primaries: number;
  /** Transfer characteristics. */
  readonly transfer: number;
}

/** The parts of an item. */
export interface AvifItem {
  /** Length of its coded data. */
  bytes: number;
  /** As stated by its `ispe` property, which libheif compares with the decoded size; 0 without one. */
  pixels: number;
  /** The items it is derived from: the tiles of a grid or the layers of an overlay. An item may occur several times. */
  parts: readonly number[];
  /** What its `colr` properties state: code points (ITU-T H.273), and whether there is a profile. */
  colors?: CodePoints;
  hasProfile?: boolean;
  /** Whether black is 0 and white the highest value, as stated by its `colr` properties. */
  isFullRange?: boolean;
  /** Only brightness, no color (4:0:0), as stated by its `av1C` property. */
  isMonochrome?: boolean;
  /** Offset of its coded data in the file. */
  dataAt?: number;
}

/** Grids may extend beyond the visible area, but never by this factor; a small grid may have a large tile. */
const MAX_PIXEL_RATIO = 4;
const SPARE_PIXELS = 2 ** 22;
/** Above 1, because encoders store identical tiles (of one color, a few bytes each) only once. */
const MAX_BYTE_RATIO = 2;
const SPARE_BYTES = 2 ** 20;

/** A tone map of a grid of tiles, plus one. */
const MAX_LEVELS = 4;

interface Work {
  readonly pixels: number;
  readonly bytes: number;
}

/** The items of an AVIF by id. */
export class AvifItems {
  private readonly items = new Map<number, AvifItem>();

  of(id: number): AvifItem {
    const item = this.items.get(id) ?? { bytes: 0, pixels: 0, parts: [] };
    this.items.set(id, item);
    return item;
  }

  /**
   * Refuses derived images that need far more decoding than they show: 225 tiles of 16 megapixels shown as 64 × 64
   * pixels take minutes, and 225 tiles that share one megabyte take as long as a file of 225 MB.
   * @throws AppError `undecodable_image`
   */
  assertModest(fileBytes: number): void {
    const known = new Map<number, Work>();
    for (const [id, { pixels, parts }] of this.items) {
      if (parts.length === 0) continue;
      const work = this.workOf(id, 1, known);
      if (work.pixels > MAX_PIXEL_RATIO * pixels + SPARE_PIXELS)
        throw damaged(
          `the parts of the AVIF have ${work.pixels} pixels in total, but only ${pixels} are shown. Save it as a single image`,
        );
      if (work.bytes > MAX_BYTE_RATIO * fileBytes + SPARE_BYTES)
        throw damaged(
          `the parts of the AVIF overlap: they claim ${work.bytes} bytes of a file of ${fileBytes}. Save it as a single image`,
        );
    }
  }

  /**
   * @param primary the item that is shown. Others, such as the HDR version of a picture with a gain map, are not read
   * @throws AppError `hdr_image`. A profile overrides code points
   */
  assertStandardRange(primary: number): void {
    const { colors, hasProfile } = this.of(primary);
    if (colors !== undefined && hasProfile !== true) refuseHdr(colors.transfer);
  }

  private workOf(id: number, level: number, known: Map<number, Work>): Work {
    const found = known.get(id);
    if (found !== undefined) return found;
    // Also stops at items that are derived from each other in a cycle.
    if (level > MAX_LEVELS) throw damaged(`the AVIF derives items over more than ${MAX_LEVELS} levels`);
    const { pixels, bytes, parts } = this.of(id);
    const work = { pixels: 0, bytes: 0 };
    for (const part of parts) {
      const one = this.workOf(part, level + 1, known);
      work.pixels += one.pixels;
      work.bytes += one.bytes;
    }
    const total = parts.length === 0 ? { pixels, bytes } : work;
    known.set(id, total);
    return total;
  }
}

/** Reads the derivation references of items (`iref`, type `dimg`; ISO/IEC 14496-12 §8.11.12). */
export async function readDerivations(
  reader: ByteReader,
  box: MediaBox,
  items: AvifItems,
  parts: PartCount,
): Promise<void> {
  const idBytes = (await new FieldCursor(reader, box.start, box.end).uint(1)) === 0 ? 2 : 4;
  for await (const { type, start, end } of boxesBetween(reader, afterFlags(box), parts)) {
    if (type !== 'dimg') continue;
    const cursor = new FieldCursor(reader, start, end);
    const item = items.of(await cursor.uint(idBytes));
    const count = await cursor.uint(2);
    if (count > MAX_PARTS) throw damaged(`an AVIF item is derived from more than ${MAX_PARTS} others`);
    const from: number[] = [];
    for (let index = 0; index < count; index++) from.push(await cursor.uint(idBytes));
    item.parts = [...item.parts, ...from];
  }
}

/** The limit of libheif. */
const MAX_PARTS = 256;

/** Reads the id of the item that is shown (`pitm`). */
export async function readPrimaryItem(reader: ByteReader, { start, end }: MediaBox): Promise<number> {
  const cursor = new FieldCursor(reader, start, end);
  const version = await cursor.uint(1);
  await cursor.uint(1);
  await cursor.uint(2);
  return cursor.uint(version === 0 ? 2 : 4);
}

/** The content of a full box, such as `iref` and `ispe`, after its version and flags. */
export const afterFlags = ({ start, end }: MediaBox) => ({ start: start + 4, end });
