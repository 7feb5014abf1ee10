import { crc32, deflateSync } from 'node:zlib';

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Samples per pixel of each color type. */
const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** First column and row, and column and row spacing, of the seven passes of Adam7. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

/** One chunk with its length and checksum. */
export function chunk(type, data = Buffer.alloc(0)) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** The IHDR chunk. */
export function header({ width, height, depth, color, interlaced = false }) {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, color, 0, 0, interlaced ? 1 : 0], 8);
  return chunk('IHDR', data);
}

/**
 * The chunks of a PNG file of any color type and depth. Image libraries can write only some of them.
 * @param {{ width: number, height: number, depth: number, color: number, interlaced?: boolean, filter?: number,
 *   level?: number, extra?: readonly Buffer[] }} shape `extra`: chunks between the header and the pixels
 * @returns {{ header: Buffer, before: Buffer[], pixels: Buffer, end: Buffer }}
 */
export function pngChunks(shape) {
  const { depth, color, level = 6, extra = [] } = shape;
  const palette = Buffer.from(
    Array.from({ length: 2 ** Math.min(depth, 8) }, (_, index) => [
      index * 37,
      index * 11,
      255 - index * 5,
    ]).flat(),
  );
  return {
    header: header(shape),
    before: [...(color === 3 ? [chunk('PLTE', palette)] : []), ...extra],
    pixels: chunk('IDAT', deflateSync(scanlines(shape), { level })),
    end: chunk('IEND'),
  };
}

/** The PNG file for a shape. */
export function pngFile(shape) {
  const { header: first, before, pixels, end } = pngChunks(shape);
  return Buffer.concat([SIGNATURE, first, ...before, pixels, end]);
}

function scanlines({ width, height, depth, color, interlaced = false, filter = 0 }) {
  const passes = interlaced ? ADAM7 : [[0, 0, 1, 1]];
  const lines = [];
  for (const [x0, y0, dx, dy] of passes) {
    const columns = Math.ceil((width - x0) / dx);
    if (columns <= 0) continue;
    let above;
    for (let y = y0; y < height; y += dy) {
      const line = packed(
        Array.from({ length: columns }, (_, at) =>
          samples(x0 + at * dx, y, { width, height, depth, color }),
        ).flat(),
        depth,
      );
      const step = Math.max(1, (CHANNELS[color] * depth) >> 3);
      lines.push(Buffer.from([filter]), filtered(line, above ?? Buffer.alloc(line.length), step, filter));
      above = line;
    }
  }
  return Buffer.concat(lines);
}

/** A gradient in every channel, each steeper than the previous one. */
function samples(x, y, { width, height, depth, color }) {
  const most = 2 ** depth - 1;
  return Array.from(
    { length: CHANNELS[color] },
    (_, channel) => Math.round((((x + 1) / (width + 1)) * (channel + 1) + y / height) * most) % (most + 1),
  );
}

function packed(values, depth) {
  const bytes = Buffer.alloc(Math.ceil((values.length * depth) / 8));
  for (const [index, value] of values.entries()) {
    if (depth === 16) bytes.writeUInt16BE(value, index * 2);
    else bytes[(index * depth) >> 3] |= value << (8 - depth - ((index * depth) & 7));
  }
  return bytes;
}

/** PNG specification, section 9: none, sub, up, average, Paeth. */
function filtered(line, above, step, filter) {
  return Buffer.from(
    line.map((value, at) => {
      const [left, up, corner] = [line[at - step] ?? 0, above[at], above[at - step] ?? 0];
      return value - [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    }),
  );
}

function paeth(left, up, corner) {
  const estimate = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(estimate - value));
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
