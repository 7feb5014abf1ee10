import type { ByteReader } from './byte-reader.js';
import { readProperties } from './avif-properties.js';
import { AvifItems, readDerivations, readPrimaryItem } from './avif-work.js';
import { readItemExtents } from './item-extents.js';
import { boxesBetween, type MediaBox, readBox } from './media-box.js';
import { damaged } from '../codec/refusals.js';
import { type ImageStructure, PartCount } from './structure.js';

/** The description of a still AVIF (`meta`). */
export interface AvifDescription {
  readonly items: AvifItems;
  /** The item that is shown. */
  readonly primary: number | undefined;
}

/**
 * Walks the boxes of an AVIF (AV1 image file format over HEIF, ISO/IEC 23008-12) and checks that every byte that an
 * item refers to is in the file: AVIF stores its pixels at stated offsets, and a truncated upload lacks the last of
 * them. The size is left to the library's header reader, because derived items (grids, rotations) determine it.
 * @throws AppError `undecodable_image`; `hdr_image`
 */
export async function walkAvif(reader: ByteReader): Promise<ImageStructure> {
  const avif = await readAvif(reader);
  if (avif === undefined) return { animated: true, size: undefined };
  avif.items.assertModest(reader.sizeBytes);
  if (avif.primary !== undefined) avif.items.assertStandardRange(avif.primary);
  return { animated: false, size: undefined };
}

/**
 * @returns undefined for an image sequence
 * @throws AppError `undecodable_image`
 */
export async function readAvif(reader: ByteReader): Promise<AvifDescription | undefined> {
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
  if (isSequence) return undefined;
  if (meta === undefined) throw damaged('the AVIF has no image description');
  return readItems(reader, meta, parts);
}

async function readItems(reader: ByteReader, meta: MediaBox, parts: PartCount): Promise<AvifDescription> {
  const items = new AvifItems();
  let locations: MediaBox | undefined;
  let inline: MediaBox | undefined;
  let primary: number | undefined;
  // `meta` is a full box: version and flags precede its children.
  for await (const box of boxesBetween(reader, { start: meta.start + 4, end: meta.end }, parts)) {
    if (box.type === 'iloc') locations = box;
    if (box.type === 'pitm') primary = await readPrimaryItem(reader, box);
    if (box.type === 'idat') inline = box;
    if (box.type === 'iref') await readDerivations(reader, box, items, parts);
    if (box.type === 'iprp') await readProperties(reader, box, items, parts);
  }
  if (locations === undefined) throw damaged('the AVIF has no location of its image data');
  const inlineBytes = inline === undefined ? 0 : inline.end - inline.start;
  const bounds = { file: reader.sizeBytes, inline: inlineBytes };
  let extents = 0;
  for await (const { item, within, lengthBytes, endBytes } of readItemExtents(reader, locations, parts)) {
    extents += 1;
    if (endBytes > bounds[within]) throw damaged('the file is truncated');
    const found = items.of(item);
    found.bytes += lengthBytes;
    found.dataAt ??= endBytes - lengthBytes + (within === 'inline' ? inline!.start : 0);
    if (found.bytes > reader.sizeBytes) throw damaged('an AVIF item is larger than the file');
  }
  if (extents === 0) throw damaged('the AVIF has no image data');
  return { items, primary };
}
