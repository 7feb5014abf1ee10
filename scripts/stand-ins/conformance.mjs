import { chunk, pngChunks, pngFile, SIGNATURE } from './png.mjs';

/** Every allowed pair of color type and bits per sample. */
const KINDS = [
  ...[1, 2, 4, 8, 16].map((depth) => ({ color: 0, depth })),
  ...[8, 16].map((depth) => ({ color: 2, depth })),
  ...[1, 2, 4, 8].map((depth) => ({ color: 3, depth })),
  ...[4, 6].flatMap((color) => [8, 16].map((depth) => ({ color, depth }))),
];
const LETTERS = { 0: '0g', 2: '2c', 3: '3p', 4: '4a', 6: '6a' };
const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 32, 33, 34, 35, 36, 37, 38, 39, 40];
const SMALL = { width: 32, height: 32 };

const suffix = ({ color, depth }) => `${LETTERS[color]}${String(depth).padStart(2, '0')}`;
const two = (number) => String(number).padStart(2, '0');

/** Valid PNG files by name: kinds, interlacing, odd sizes, filters, compression levels, optional chunks. */
export function validPngs() {
  const gamma = Buffer.alloc(4);
  gamma.writeUInt32BE(45_455);
  return Object.fromEntries([
    ...KINDS.flatMap((kind) => filesOfKind({ ...SMALL, ...kind }, chunk('gAMA', gamma))),
    ...SIZES.flatMap((size) =>
      [false, true].map((interlaced) => [
        `s${two(size)}${interlaced ? 'i' : 'n'}3p04.png`,
        pngFile({ width: size, height: size, color: 3, depth: 4, interlaced }),
      ]),
    ),
    ...[0, 3, 6, 9].map((level) => [
      `z${two(level)}n2c08.png`,
      pngFile({ ...SMALL, color: 2, depth: 8, level }),
    ]),
  ]);
}

function filesOfKind(shape, gamma) {
  const name = suffix(shape);
  const files = [
    [`basn${name}.png`, pngFile(shape)],
    [`basi${name}.png`, pngFile({ ...shape, interlaced: true })],
    [`g04n${name}.png`, pngFile({ ...shape, extra: [gamma] })],
  ];
  for (let filter = 0; filter <= 4; filter += 1)
    files.push([`f${two(filter)}n${name}.png`, pngFile({ ...shape, filter })]);
  return files;
}

/** PNG files by name, each with one fault that a decoder must detect. */
export function corruptPngs() {
  const rgb = { ...SMALL, color: 2, depth: 8 };
  const good = pngFile(rgb);
  const { header, pixels, end } = pngChunks(rgb);
  const of = (...parts) => Buffer.concat(parts);
  const changed = (bytes, at, value) => {
    const copy = Buffer.from(bytes);
    copy[at] = value;
    return copy;
  };
  const text = (bytes, from, to) => Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1');
  // Only headers, because no pixels can be drawn for these.
  const odd = (color, depth) => {
    const data = Buffer.from(header.subarray(8, 21));
    data.set([depth, color], 8);
    return of(SIGNATURE, chunk('IHDR', data), pixels, end);
  };
  return {
    'xs1n0g01.png': changed(good, 0, 0x88),
    'xs2n0g01.png': changed(good, 1, 0x4e),
    'xs4n0g01.png': changed(good, 3, 0x46),
    'xs7n0g01.png': changed(good, 6, 0x1b),
    'xcrn0g04.png': text(good, '\r\n', '\r'),
    'xlfn0g04.png': text(good, '\r\n', '\n'),
    'xhdn0g08.png': changed(good, 29, good[29] ^ 0xff),
    'xc1n0g08.png': odd(1, 8),
    'xc9n2c08.png': odd(9, 8),
    'xd0n2c08.png': odd(2, 0),
    'xd3n2c08.png': odd(2, 3),
    'xd9n2c08.png': odd(2, 99),
    'xdtn0g01.png': of(SIGNATURE, header, end),
    'xcsn0g01.png': of(SIGNATURE, header, changed(pixels, pixels.length - 1, pixels.at(-1) ^ 0xff), end),
  };
}
