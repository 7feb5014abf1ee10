import { uint32 } from './png-chunks.js';

/** Handmade ICC profiles (ICC.1:2010), larger than any device needs. */

const SIGNATURE_AT = 36;
const HEADER_BYTES = 128;

/**
 * An RGB display profile with one table of `grid`³ points of 16 bits (`A2B0`, `mft2`), all of them gray.
 * @param grid 2–255 points along each axis; 200 take 48 MB
 * @param paddingBytes unused bytes at the end
 */
export function tableProfile(grid: number, paddingBytes = 0): Buffer {
  const table = Buffer.alloc(2 * 3 * grid ** 3, 0x80);
  const curves = Buffer.from([0, 0, 0xff, 0xff]);
  const head = Buffer.concat([Buffer.from('mft2\0\0\0\0', 'latin1'), Buffer.from([3, 3, grid, 0])]);
  const matrix = Buffer.concat([1, 0, 0, 0, 1, 0, 0, 0, 1].map((value) => uint32(value * 65_536)));
  const entries = Buffer.from([0, 2, 0, 2]);
  const lut = Buffer.concat([
    head,
    matrix,
    entries,
    ...Array<Buffer>(3).fill(curves),
    table,
    ...Array<Buffer>(3).fill(curves),
  ]);
  return profile('RGB Lab ', { A2B0: lut, wtpt: WHITE }, paddingBytes);
}

/** A display profile of one gray channel with this gamma. */
export function grayProfile(gamma: number): Buffer {
  const head = Buffer.concat([Buffer.from('curv\0\0\0\0', 'latin1'), uint32(1)]);
  const curve = Buffer.from([Math.floor(gamma), Math.round((gamma % 1) * 256), 0, 0]);
  return profile('GRAYXYZ ', { kTRC: Buffer.concat([head, curve]), wtpt: WHITE }, 0);
}

const WHITE = Buffer.concat([
  Buffer.from('XYZ \0\0\0\0', 'latin1'),
  uint32(0xf6d6),
  uint32(0x10000),
  uint32(0xd32d),
]);

/** @param spaces the color spaces of the device and of the connection, four letters each */
function profile(spaces: string, tags: Readonly<Record<string, Buffer>>, paddingBytes: number): Buffer {
  const names = Object.entries(tags);
  let at = HEADER_BYTES + 4 + 12 * names.length;
  const table = [uint32(names.length)];
  for (const [name, { length }] of names) {
    table.push(Buffer.from(name, 'latin1'), uint32(at), uint32(length));
    at += length;
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(at + paddingBytes, 0);
  header.writeUInt32BE(0x0210_0000, 8);
  header.write(`mntr${spaces}`, 12, 'latin1');
  header.write('acsp', SIGNATURE_AT, 'latin1');
  header.writeUInt32BE(0xf6d6, 68);
  header.writeUInt32BE(0x10000, 72);
  header.writeUInt32BE(0xd32d, 76);
  return Buffer.concat([header, ...table, ...names.map(([, body]) => body), Buffer.alloc(paddingBytes)]);
}

const MARKER = Buffer.from('ICC_PROFILE\0', 'latin1');
const CHUNK_BYTES = 65_519;

/** The profile in APP2 segments of a JPEG; at most 255. */
export function profileSegments(bytes: Buffer): Buffer[] {
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const part = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
    const body = Buffer.concat([MARKER, Buffer.from([index + 1, count]), part]);
    const head = Buffer.from([0xff, 0xe2, (body.length + 2) >> 8, (body.length + 2) & 255]);
    return Buffer.concat([head, body]);
  });
}
