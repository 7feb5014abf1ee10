import { PNG_SIGNATURE, pngChunk } from './png-chunks.js';

/** ITU-T H.273, tables 2 and 3. */
export const BT709 = 1;
export const BT2020 = 9;
export const DISPLAY_P3 = 12;
export const SRGB_CURVE = 13;

/** The end of the header chunk of a PNG. */
const AFTER_HEADER = PNG_SIGNATURE.length + 25;

/** The PNG with code points: RGB in full range. */
export function pngWithCodePoints(png: Buffer, primaries: number, transfer = SRGB_CURVE): Buffer {
  const colors = pngChunk('cICP', Buffer.from([primaries, transfer, 0, 1]));
  return Buffer.concat([png.subarray(0, AFTER_HEADER), colors, png.subarray(AFTER_HEADER)]);
}

/** The PNG without a chunk. */
export function pngWithout(png: Buffer, type: string): Buffer {
  const at = png.indexOf(type, 0, 'latin1') - 4;
  if (at < 0) throw new Error(`the PNG has no ${type}`);
  return Buffer.concat([png.subarray(0, at), png.subarray(at + 12 + png.readUInt32BE(at))]);
}

/** The AVIF with other code points. */
export function avifWithCodePoints(avif: Buffer, primaries: number): Buffer {
  const copy = Buffer.from(avif);
  const at = copy.indexOf('colrnclx', 0, 'latin1');
  if (at < 0) throw new Error('the AVIF has no code points');
  copy.writeUInt16BE(primaries, at + 8);
  copy.writeUInt16BE(SRGB_CURVE, at + 10);
  return copy;
}

/** The property with the code points of an AVIF. */
export function codePointsOf(avif: Buffer): Buffer {
  const at = avif.indexOf('colrnclx', 0, 'latin1') - 4;
  return avif.subarray(at, at + avif.readUInt32BE(at));
}
