import { damaged } from '../codec/refusals.js';
import type { ByteReader } from './byte-reader.js';
import type { PartCount } from './structure.js';

/** A box of an ISO media file (ISO/IEC 14496-12 §4.2). */
export interface MediaBox {
  readonly type: string;
  /** The offset of its content, and of the first byte after it. */
  readonly start: number;
  readonly end: number;
}

/** Reads the header of a box. @param limit the end of the parent, to which a box with a size of 0 extends */
export async function readBox(reader: ByteReader, at: number, limit: number): Promise<MediaBox> {
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

/** The boxes between two offsets. @throws AppError `undecodable_image` */
export async function* boxesBetween(
  reader: ByteReader,
  { start, end }: { readonly start: number; readonly end: number },
  parts: PartCount,
): AsyncGenerator<MediaBox> {
  for (let at = start; at + 8 <= end;) {
    await parts.add();
    const box = await readBox(reader, at, end);
    if (box.end > end) throw damaged('an AVIF box is longer than its parent');
    yield box;
    at = box.end;
  }
}
