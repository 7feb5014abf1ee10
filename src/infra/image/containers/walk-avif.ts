import type { ByteReader } from './byte-reader.js';
import { readItemExtents } from './item-extents.js';
import { damaged } from '../codec/refusals.js';
import { type ImageStructure, PartCount } from './structure.js';

/** A box of ISO/IEC 14496-12: where its payload begins, and where it ends. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Walks the boxes of an AVIF (AV1 image file format over HEIF, ISO/IEC 23008-12) and checks that every byte
 * an item refers to lies in the file: AVIF keeps its pixels at stated places, and a truncated upload lacks
 * the last. The size is left to the library's header reader, because derived items (grids, rotations) decide
 * it.
 * @throws AppError `undecodable_image`.
 */
export async function walkAvif(reader: ByteReader): Promise<ImageStructure> {
  const parts = new PartCount();
  let meta: Box | undefined;
  let isSequence = (await reader.read(8, 4)).toString('latin1') === 'avis';
  for (let at = 0; at + 8 <= reader.sizeBytes;) {
    parts.add();
    const box = await readBox(reader, at, reader.sizeBytes);
    if (box.end > reader.sizeBytes) {
      if (/^(ftyp|meta|mdat|moov)$/.test(box.type)) throw damaged('the file is truncated');
      break; // Not a box but bytes that someone appended: decoders do not mind.
    }
    if (box.type === 'meta') meta ??= box;
    if (box.type === 'moov') isSequence = true;
    at = box.end;
  }
  if (isSequence) return { animated: true, size: undefined };
  if (meta === undefined) throw damaged('the AVIF has no image description');
  await checkItems(reader, meta, parts);
  return { animated: false, size: undefined };
}

/** `limit`: the end of the parent, which a size of 0 stands for. */
async function readBox(reader: ByteReader, at: number, limit: number): Promise<Box> {
  const header = await reader.read(at, 8);
  const type = header.toString('latin1', 4, 8);
  const size = header.readUInt32BE(0);
  if (size === 0) return { type, start: at + 8, end: limit };
  if (size === 1) {
    const largeSize = Number((await reader.read(at + 8, 8)).readBigUInt64BE(0));
    if (largeSize < 16) throw damaged('an AVIF box has an invalid length');
    return { type, start: at + 16, end: at + largeSize };
  }
  if (size < 8) throw damaged('an AVIF box has an invalid length');
  return { type, start: at + 8, end: at + size };
}

async function checkItems(reader: ByteReader, meta: Box, parts: PartCount): Promise<void> {
  let locations: Box | undefined;
  let inlineBytes = 0;
  // `meta` is a full box: version and flags come before its children.
  for (let at = meta.start + 4; at + 8 <= meta.end;) {
    parts.add();
    const box = await readBox(reader, at, meta.end);
    if (box.end > meta.end) throw damaged('an AVIF box is longer than its parent');
    if (box.type === 'iloc') locations = box;
    if (box.type === 'idat') inlineBytes = box.end - box.start;
    at = box.end;
  }
  if (locations === undefined) throw damaged('the AVIF has no location of its image data');
  const bounds = { file: reader.sizeBytes, inline: inlineBytes };
  let items = 0;
  for await (const extent of readItemExtents(reader, locations, parts)) {
    items += 1;
    if (extent.endBytes > bounds[extent.within]) throw damaged('the file is truncated');
  }
  if (items === 0) throw damaged('the AVIF has no image data');
}
