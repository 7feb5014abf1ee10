import { damaged, refuseHdr } from '../codec/refusals.js';
import type { ByteReader } from './byte-reader.js';
import { FieldCursor } from './field-cursor.js';
import { boxesBetween, type MediaBox } from './media-box.js';
import type { PartCount } from './structure.js';

/** The parts of an item. */
export interface AvifItem {
  /** Length of its coded data. */
  bytes: number;
  /** As stated by its `ispe` property, which libheif compares with the decoded size; 0 without one. */
  pixels: number;
  /** The items it is derived from: the tiles of a grid or the layers of an overlay. An item may occur several times. */
  parts: readonly number[];
  /** What its `colr` properties state: the code point of the transfer characteristics, and whether there is a profile. */
  transfer?: number;
  hasProfile?: boolean;
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
    const { transfer, hasProfile } = this.of(primary);
    if (transfer !== undefined && hasProfile !== true) refuseHdr(transfer);
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

/** Reads sizes and colors of items (`iprp`: `ispe`, `colr` in `ipco`, assigned by `ipma`; ISO/IEC 23008-12 §9.3). */
export async function readProperties(
  reader: ByteReader,
  box: MediaBox,
  items: AvifItems,
  parts: PartCount,
): Promise<void> {
  /** Pixels by property index, starting at 1. */
  const sizes = new Map<number, number>();
  const colors = new Map<number, Color>();
  for await (const child of boxesBetween(reader, box, parts)) {
    if (child.type === 'ipco') {
      let number = 0;
      for await (const property of boxesBetween(reader, child, parts)) {
        number += 1;
        if (property.type === 'ispe') sizes.set(number, await readSize(reader, property));
        if (property.type === 'colr') colors.set(number, await readColor(reader, property));
      }
    }
    if (child.type === 'ipma')
      await readAssociations(reader, child, parts, (id, number) => {
        items.of(id).pixels = Math.max(items.of(id).pixels, sizes.get(number) ?? 0);
        Object.assign(items.of(id), colors.get(number));
      });
  }
}

async function readSize(reader: ByteReader, box: MediaBox): Promise<number> {
  const cursor = new FieldCursor(reader, afterFlags(box).start, box.end);
  return (await cursor.uint(4)) * (await cursor.uint(4));
}

/** `nclx` */
const NCLX = 0x6e_63_6c_78;

type Color = Pick<AvifItem, 'transfer' | 'hasProfile'>;

/** `colr`: code points (`nclx`) or an ICC profile (ISO/IEC 14496-12 §12.1.5). */
async function readColor(reader: ByteReader, { start, end }: MediaBox): Promise<Color> {
  const cursor = new FieldCursor(reader, start, end);
  if ((await cursor.uint(4)) !== NCLX) return { hasProfile: true };
  await cursor.uint(2);
  return { transfer: await cursor.uint(2) };
}

/** Reads the id of the item that is shown (`pitm`). */
export async function readPrimaryItem(reader: ByteReader, { start, end }: MediaBox): Promise<number> {
  const cursor = new FieldCursor(reader, start, end);
  const version = await cursor.uint(1);
  await cursor.uint(1);
  await cursor.uint(2);
  return cursor.uint(version === 0 ? 2 : 4);
}

async function readAssociations(
  reader: ByteReader,
  box: MediaBox,
  parts: PartCount,
  tell: (item: number, property: number) => void,
): Promise<void> {
  const cursor = new FieldCursor(reader, box.start, box.end);
  const version = await cursor.uint(1);
  await cursor.uint(2);
  const isWide = ((await cursor.uint(1)) & 1) === 1;
  const entries = await cursor.uint(4);
  for (let entry = 0; entry < entries; entry++) {
    await parts.add();
    const id = await cursor.uint(version === 0 ? 2 : 4);
    const count = await cursor.uint(1);
    // The highest bit marks properties that a reader must understand.
    for (let index = 0; index < count; index++)
      tell(id, (await cursor.uint(isWide ? 2 : 1)) & (isWide ? 0x7fff : 0x7f));
  }
}

/** `iref`, `ispe`: full boxes, which start with version and flags. */
const afterFlags = ({ start, end }: MediaBox) => ({ start: start + 4, end });
