import { crc32, deflateSync } from 'node:zlib';
import type { ByteReader } from '../containers/byte-reader.js';
import { type WidePrimaries, widePrimariesOf } from './wide-gamut.js';

/** Where the chunks after the header begin; the header states the kind of colors. */
const AFTER_HEADER = 33;
const COLOR_TYPE_AT = 25;
/** The bit of the color type that tells colors from gray. */
const HAS_COLOR = 2;
/** `cICP`, and the chunks that it overrides (PNG 3rd edition §4.3). */
const COLOR_CHUNKS = /^(?:cICP|iCCP|sRGB|gAMA|cHRM)$/;

/** The primaries of a color PNG that `cICP` states. Grays are the same in all of them. */
export async function widePrimariesOfPng(reader: ByteReader): Promise<WidePrimaries | undefined> {
  const colorType = (await reader.read(COLOR_TYPE_AT, 1))[0]!;
  if ((colorType & HAS_COLOR) === 0) return undefined;
  for (let at = AFTER_HEADER; ;) {
    const head = await reader.read(at, 8);
    const lengthBytes = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    if (type === 'IDAT' || type === 'IEND') return undefined;
    if (type === 'cICP' && lengthBytes >= 2) {
      const points = await reader.read(at + 8, 2);
      return widePrimariesOf(points[0]!, points[1]!);
    }
    at += 12 + lengthBytes;
  }
}

/** The PNG with a profile in place of everything else that states its colors. */
export function pngWithProfile(file: Buffer, profile: Buffer): Buffer {
  const kept = [file.subarray(0, AFTER_HEADER), profileChunk(profile)];
  let at = AFTER_HEADER;
  for (let type = ''; type !== 'IDAT' && at + 12 <= file.length;) {
    type = file.toString('latin1', at + 4, at + 8);
    const end = type === 'IDAT' ? file.length : at + 12 + file.readUInt32BE(at);
    if (!COLOR_CHUNKS.test(type)) kept.push(file.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

function profileChunk(profile: Buffer): Buffer {
  // A name, and the method of compression.
  const body = Buffer.concat([Buffer.from('iCCPwide\0\0', 'latin1'), deflateSync(profile)]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(body.length - 4, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
