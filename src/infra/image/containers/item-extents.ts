import type { ByteReader } from './byte-reader.js';
import { damaged } from '../codec/refusals.js';
import { FieldCursor } from './field-cursor.js';
import type { PartCount } from './structure.js';

/** A range of bytes that belongs to an item of a HEIF container. */
export interface ItemExtent {
  /** Id of the item. */
  readonly item: number;
  readonly lengthBytes: number;
  /** The base of the offset: the file, or the `idat` box inside `meta`. */
  readonly within: 'file' | 'inline';
  /** Offset of the first byte after the range. */
  readonly endBytes: number;
}

/** The limit of libheif (`heif_security_limits`). */
const MAX_ITEMS = 256;

/**
 * The extents of every item, from an `iloc` box (ISO/IEC 14496-12 §8.11.3) of version 0, 1, or 2. Omits items that are
 * in another file or constructed from other items, because they occupy no bytes in this file.
 * @throws AppError `undecodable_image`
 */
export async function* readItemExtents(
  reader: ByteReader,
  box: { readonly start: number; readonly end: number },
  parts: PartCount,
): AsyncGenerator<ItemExtent> {
  const cursor = new FieldCursor(reader, box.start, box.end);
  const version = await cursor.uint(1);
  if (version > 2) throw damaged('the AVIF item list has an unknown version');
  await cursor.uint(1);
  await cursor.uint(2);
  const sizes = await cursor.uint(2);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >>> 12, (sizes >>> 8) & 15, (sizes >>> 4) & 15].map(
    fieldSize,
  );
  const indexBytes = version === 0 ? 0 : fieldSize(sizes & 15);
  const itemCount = await cursor.uint(version === 2 ? 4 : 2);
  if (itemCount > MAX_ITEMS) throw damaged(`the AVIF holds more than ${MAX_ITEMS} items`);
  for (let item = 0; item < itemCount; item++) {
    await parts.add();
    const id = await cursor.uint(version === 2 ? 4 : 2);
    const construction = version === 0 ? 0 : (await cursor.uint(2)) & 15;
    const dataReference = await cursor.uint(2);
    const base = await cursor.uint(baseBytes!);
    const extentCount = await cursor.uint(2);
    for (let extent = 0; extent < extentCount; extent++) {
      await parts.add();
      await cursor.uint(indexBytes);
      const offset = await cursor.uint(offsetBytes!);
      const length = await cursor.uint(lengthBytes!);
      if (dataReference !== 0 || construction > 1) continue;
      const within = construction === 0 ? 'file' : 'inline';
      yield { item: id, within, lengthBytes: length, endBytes: base + offset + length };
    }
  }
}

function fieldSize(size: number): number {
  if (size !== 0 && size !== 4 && size !== 8) throw damaged('the AVIF item list has invalid field sizes');
  return size;
}
