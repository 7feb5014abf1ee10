import type { ByteReader } from './byte-reader.js';
import { AvifItems, readDerivations, readPrimaryItem, readProperties } from './avif-work.js';
import { readItemExtents } from './item-extents.js';
import { boxesBetween, type MediaBox, readBox } from './media-box.js';
import { damaged } from '../codec/refusals.js';
import { type ImageStructure, PartCount } from './structure.js';

/**
 * Walks the boxes of an AVIF (AV1 image file format over HEIF, ISO/IEC 23008-12) and checks that every byte that an
 * item refers to is in the file: AVIF stores its pixels at stated offsets, and a truncated upload lacks the last of
 * them. The size is left to the library's header reader, because derived items (grids, rotations) determine it.
 * @throws AppError `undecodable_image`; `hdr_image`
 */
export async function walkAvif(reader: ByteReader): Promise<ImageStructure> {
  const parts = new PartCount();
  let meta: MediaBox | undefined;
  let isSequence = (await reader.read(8, 4)).toString('latin1') === 'avis';
  for (let at = 0; at + 8 <= reader.sizeBytes;) {
    await parts.add();
    const box = await readBox(reader, at, reader.sizeBytes);
    if (box.end > reader.sizeBytes) {
      if (/^(ftyp|meta|mdat|moov)$/.test(box.type)) throw damaged('the file is truncated');
      break; // Not a box but appended bytes, which decoders ignore.
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

async function checkItems(reader: ByteReader, meta: MediaBox, parts: PartCount): Promise<void> {
  const items = new AvifItems();
  let locations: MediaBox | undefined;
  let inlineBytes = 0;
  let primary: number | undefined;
  // `meta` is a full box: version and flags precede its children.
  for await (const box of boxesBetween(reader, { start: meta.start + 4, end: meta.end }, parts)) {
    if (box.type === 'iloc') locations = box;
    if (box.type === 'pitm') primary = await readPrimaryItem(reader, box);
    if (box.type === 'idat') inlineBytes = box.end - box.start;
    if (box.type === 'iref') await readDerivations(reader, box, items, parts);
    if (box.type === 'iprp') await readProperties(reader, box, items, parts);
  }
  if (locations === undefined) throw damaged('the AVIF has no location of its image data');
  const bounds = { file: reader.sizeBytes, inline: inlineBytes };
  let extents = 0;
  for await (const { item, within, lengthBytes, endBytes } of readItemExtents(reader, locations, parts)) {
    extents += 1;
    if (endBytes > bounds[within]) throw damaged('the file is truncated');
    items.of(item).bytes += lengthBytes;
    if (items.of(item).bytes > reader.sizeBytes) throw damaged('an AVIF item is larger than the file');
  }
  if (extents === 0) throw damaged('the AVIF has no image data');
  items.assertModest(reader.sizeBytes);
  if (primary !== undefined) items.assertStandardRange(primary);
}
