import { type AvifItem, type AvifItems, afterFlags } from './avif-work.js';
import type { ByteReader } from './byte-reader.js';
import { FieldCursor } from './field-cursor.js';
import { boxesBetween, type MediaBox } from './media-box.js';
import type { PartCount } from './structure.js';

/**
 * Reads sizes and colors of items (`iprp`: `ispe`, `colr`, `av1C` in `ipco`, assigned by `ipma`; ISO/IEC 23008-12
 * §9.3).
 */
export async function readProperties(
  reader: ByteReader,
  box: MediaBox,
  items: AvifItems,
  parts: PartCount,
): Promise<void> {
  /** Pixels by property index, starting at 1. */
  const sizes = new Map<number, number>();
  const traits = new Map<number, Traits>();
  for await (const child of boxesBetween(reader, box, parts)) {
    if (child.type === 'ipco') {
      let number = 0;
      for await (const property of boxesBetween(reader, child, parts)) {
        number += 1;
        if (property.type === 'ispe') sizes.set(number, await readSize(reader, property));
        if (property.type === 'colr') traits.set(number, await readColor(reader, property));
        if (property.type === 'av1C') traits.set(number, await readCodec(reader, property));
      }
    }
    if (child.type === 'ipma')
      await readAssociations(reader, child, parts, (id, number) => {
        items.of(id).pixels = Math.max(items.of(id).pixels, sizes.get(number) ?? 0);
        Object.assign(items.of(id), traits.get(number));
      });
  }
}

async function readSize(reader: ByteReader, box: MediaBox): Promise<number> {
  const cursor = new FieldCursor(reader, afterFlags(box).start, box.end);
  return (await cursor.uint(4)) * (await cursor.uint(4));
}

/** `nclx` */
const NCLX = 0x6e_63_6c_78;
/** The type, three code points of 2 bytes, and the range. */
const NCLX_BYTES = 11;

type Traits = Pick<AvifItem, 'colors' | 'hasProfile' | 'isFullRange' | 'isMonochrome'>;

/** `colr`: code points (`nclx`) or an ICC profile (ISO/IEC 14496-12 §12.1.5). */
async function readColor(reader: ByteReader, { start, end }: MediaBox): Promise<Traits> {
  const cursor = new FieldCursor(reader, start, end);
  if ((await cursor.uint(4)) !== NCLX) return { hasProfile: true };
  const colors = { primaries: await cursor.uint(2), transfer: await cursor.uint(2) };
  if (end - start < NCLX_BYTES) return { colors };
  await cursor.uint(2);
  return { colors, isFullRange: (await cursor.uint(1)) >= 0x80 };
}

/** `av1C` (AV1 codec ISO media file format binding §2.3). */
async function readCodec(reader: ByteReader, { start, end }: MediaBox): Promise<Traits> {
  if (end - start < 3) return {};
  const cursor = new FieldCursor(reader, start, end);
  await cursor.uint(2);
  return { isMonochrome: ((await cursor.uint(1)) & 0x10) !== 0 };
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
