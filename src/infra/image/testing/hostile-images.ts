import { libvips } from '../codec/libvips.js';
import { uint32 } from './png-chunks.js';
import { drawRaw, photo } from './still-images.js';

/** Generators of files that must be refused. */

/** The first part of a file. */
export function truncated(file: Buffer, share = 0.5): Buffer {
  return file.subarray(0, Math.floor(file.length * share));
}

/** Another format, renamed to `.jpg`. */
export function textFile(): Buffer {
  return Buffer.from('Dear customer,\nplease find my photo attached.\n');
}

/** An animated WebP of `frames` frames of 16 × 16. */
export async function animatedWebp(frames = 2): Promise<Buffer> {
  const { data } = drawRaw(16, 16 * frames);
  return libvips()(data, { raw: { width: 16, height: 16 * frames, channels: 3, pageHeight: 16 } })
    .webp({ loop: 0, delay: Array<number>(frames).fill(100) })
    .toBuffer();
}

/** An AVIF whose brand and movie box declare an image sequence; the other frames are missing. */
export async function animatedAvif(): Promise<Buffer> {
  const still = Buffer.from(await photo(16, 16, 'avif'));
  still.write('avis', 8, 'latin1');
  const movieHeader = Buffer.concat([uint32(8), Buffer.from('mvhd')]);
  return Buffer.concat([still, uint32(8 + movieHeader.length), Buffer.from('moov'), movieHeader]);
}

/** A file whose brands declare HEIC: the same container as AVIF, with another codec. */
export async function heic(): Promise<Buffer> {
  const file = await photo(16, 16, 'avif');
  const length = file.readUInt32BE(0);
  const brands = Buffer.concat([uint32(24), Buffer.from('ftypheic\0\0\0\0mif1heic', 'latin1')]);
  return Buffer.concat([brands, file.subarray(length)]);
}

/** A valid JPEG of exactly `sizeBytes`: a small picture, then comment segments as padding. */
export async function jpegOfBytes(sizeBytes: number): Promise<Buffer> {
  const picture = await photo(64, 48, 'jpeg');
  const missing = sizeBytes - picture.length;
  if (missing !== 0 && missing < 4) throw new RangeError(`a JPEG of ${sizeBytes} bytes is not possible`);
  const padding: Buffer[] = [];
  for (let left = missing; left > 0;) {
    // A segment takes 4 to 65,537 bytes; the rest must not be too short for one.
    const take = left <= 65_537 ? left : Math.min(65_537, left - 4);
    const segment = Buffer.alloc(take);
    segment.writeUInt16BE(0xfffe, 0);
    segment.writeUInt16BE(take - 2, 2);
    padding.push(segment);
    left -= take;
  }
  return Buffer.concat([picture.subarray(0, 2), ...padding, picture.subarray(2)]);
}

/** A JPEG whose frame header states another size than that of its data. */
export function withJpegSize(file: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(file);
  for (let at = 2; at + 9 < changed.length; at += 2 + changed.readUInt16BE(at + 2)) {
    if (changed[at + 1] !== 0xc0 && changed[at + 1] !== 0xc2) continue;
    changed.writeUInt16BE(height, at + 5);
    changed.writeUInt16BE(width, at + 7);
    return changed;
  }
  throw new RangeError('this JPEG has no baseline or progressive frame');
}
