import { avifOfTiles } from './avif-grid.js';
import { animatedWebp } from './hostile-images.js';
import { profileSegments, tableProfile } from './icc-profile.js';
import { pngChunk, uint32 } from './png-chunks.js';
import { jpegOfScans, segment } from './progressive-jpeg.js';
import {
  arithmeticJpeg,
  exifOfPointers,
  jpegOfEmptyBlocks,
  jpegOfRefinements,
  manySegments,
  withSegments,
} from './slow-jpeg.js';
import { blackPng, profileChunk, slowPng, textBomb } from './slow-png.js';
import { drawSolid, photo, pipelineOf } from './still-images.js';

/** A valid or nearly valid file that takes a decoder, or a walk over its structure, as long as possible. */
export interface SlowFile {
  readonly name: string;
  readonly make: () => Buffer | Promise<Buffer>;
}

const SIDE = 7_000;
const square = (components: number) => ({ width: SIDE, height: SIDE, components });
const PNG = { width: SIDE, height: SIDE, depth: 8, colorType: 2, isInterlaced: false, filter: 0 } as const;
const SMALL_PNG = { ...PNG, width: 64, height: 64 };
const MB = 1_000_000;

const smallJpeg = () => photo(64, 48, 'jpeg');
const jpegWith = async (segments: readonly Buffer[]) => withSegments(await smallJpeg(), segments);
const solid = (side = SIDE) => pipelineOf(drawSolid(side, side, [90, 120, 150]));
const ONE_TILE = { columns: 1, rows: 1 };

export const SLOW_JPEGS: readonly SlowFile[] = [
  { name: 'JPEG, 100 scans of one coefficient, gray', make: () => jpegOfScans(SIDE, SIDE, 100) },
  { name: 'JPEG, 15 scans of all coefficients, gray', make: () => jpegOfRefinements(square(1), 15) },
  { name: 'JPEG, 43 scans of all coefficients, color', make: () => jpegOfRefinements(square(3), 43) },
  { name: 'JPEG, 57 scans of all coefficients, CMYK', make: () => jpegOfRefinements(square(4), 57) },
  { name: 'JPEG, 43 scans, arithmetic, color', make: () => jpegOfRefinements(square(3), 43, true) },
  { name: 'JPEG, arithmetic, color', make: () => arithmeticJpeg(square(3)) },
  { name: 'JPEG, a restart after each block', make: () => jpegOfEmptyBlocks(square(1), 1) },
  { name: 'JPEG, empty blocks, CMYK', make: () => jpegOfEmptyBlocks(square(4)) },
  {
    name: 'JPEG, 43 scans, 65,500 × 762',
    make: () => jpegOfRefinements({ width: 65_500, height: 762, components: 3 }, 43),
  },
  { name: 'JPEG, 65,000 comments', make: () => jpegWith(manySegments(0xfe, Buffer.from('x'), 65_000)) },
  { name: 'JPEG, 65,000 APP1', make: () => jpegWith(manySegments(0xe1, Buffer.alloc(0), 65_000)) },
  { name: 'JPEG, 300 APP13 of 64 kB', make: () => jpegWith(manySegments(0xed, Buffer.alloc(65_000), 300)) },
  {
    name: 'JPEG, 65,000 quantization tables',
    make: () => jpegWith(manySegments(0xdb, Buffer.alloc(65, 1), 65_000)),
  },
  {
    name: 'JPEG, 65,000 Huffman tables',
    make: () => jpegWith(manySegments(0xc4, Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(16)]), 65_000)),
  },
  {
    name: 'JPEG, 65,000 restart intervals',
    make: () => jpegWith(manySegments(0xdd, Buffer.from([0, 0]), 65_000)),
  },
  { name: 'JPEG, 19 MB of fill bytes', make: () => jpegWith([Buffer.alloc(19 * MB, 0xff)]) },
  { name: 'JPEG, EXIF of 5,400 entries', make: () => jpegWith([exifOfEntries(5_400)]) },
  { name: 'JPEG, EXIF whose directories form a circle', make: () => jpegWith([exifOfEntries(10, 8)]) },
  { name: 'JPEG, EXIF of 5,400 pointers to itself', make: () => jpegWith([exifOfPointers()]) },
  { name: 'JPEG, 16 MB of color profile', make: () => jpegWith(profileSegments(tableProfile(136))) },
  {
    name: 'JPEG, a profile for each of 49 MP',
    make: () => withSegments(jpegOfEmptyBlocks(square(3)), profileSegments(tableProfile(60))),
  },
];

export const SLOW_PNGS: readonly SlowFile[] = [
  { name: 'PNG, interlaced', make: slowPng },
  {
    name: 'PNG, interlaced, 16 bits, alpha',
    make: () => blackPng({ ...PNG, depth: 16, colorType: 6, isInterlaced: true, filter: 4 }),
  },
  {
    name: 'PNG, interlaced, 65,535 × 762',
    make: () => blackPng({ ...PNG, width: 65_535, height: 762, isInterlaced: true }),
  },
  {
    name: 'PNG, interlaced, 762 × 65,535',
    make: () => blackPng({ ...PNG, width: 762, height: 65_535, isInterlaced: true }),
  },
  {
    name: 'PNG, interlaced, 1 × 65,535',
    make: () => blackPng({ ...PNG, width: 1, height: 65_535, isInterlaced: true }),
  },
  { name: 'PNG, pixels in chunks of 3 bytes', make: () => blackPng(PNG, [], 3) },
  {
    name: 'PNG, 65,000 empty chunks',
    make: () => blackPng(SMALL_PNG, Array<Buffer>(65_000).fill(pngChunk('teSt'))),
  },
  {
    name: 'PNG, 65,000 texts',
    make: () => blackPng(SMALL_PNG, Array<Buffer>(65_000).fill(pngChunk('tEXt', Buffer.from('a\0b')))),
  },
  {
    name: 'PNG, a text that inflates to 100 MB',
    make: () => blackPng(SMALL_PNG, [textBomb('bomb', 100 * MB)]),
  },
  {
    name: 'PNG, 900 texts that inflate to 7 MB each',
    make: () => blackPng(SMALL_PNG, Array<Buffer>(900).fill(textBomb('bomb', 7 * MB))),
  },
  {
    name: 'PNG, 65,000 texts that inflate to 80 kB',
    make: () => blackPng(SMALL_PNG, Array<Buffer>(65_000).fill(textBomb('bomb', 80_000))),
  },
  { name: 'PNG, 7 MB of color profile', make: () => blackPng(PNG, [profileChunk(tableProfile(100))]) },
  {
    name: 'PNG, a profile that inflates to 100 MB',
    make: () => blackPng(SMALL_PNG, [profileChunk(tableProfile(4, 100 * MB))]),
  },
];

export const SLOW_OTHERS: readonly SlowFile[] = [
  { name: 'WebP, lossless, one color', make: () => solid().webp({ lossless: true, effort: 0 }).toBuffer() },
  { name: 'WebP, lossy, one color', make: () => solid().webp({ effort: 0 }).toBuffer() },
  { name: 'WebP, 65,000 unknown chunks', make: manyChunkedWebp },
  { name: 'WebP, 1,000 frames', make: () => animatedWebp(1_000) },
  { name: 'AVIF, one color, 38 MP', make: () => solid(6_200).avif({ effort: 0 }).toBuffer() },
  { name: 'AVIF, lossless noise', make: () => avifOfTiles({ ...ONE_TILE, tileSide: 1_500, isNoise: true }) },
  { name: 'AVIF, 144 tiles, 38 MP', make: () => avifOfTiles({ tileSide: 512, columns: 12, rows: 12 }) },
  { name: 'AVIF, 255 tiles, 38 MP', make: () => avifOfTiles({ tileSide: 384, columns: 17, rows: 15 }) },
  {
    name: 'AVIF, 225 tiles at the same noise',
    make: () => avifOfTiles({ tileSide: 416, columns: 15, rows: 15, isNoise: true }),
  },
  {
    name: 'AVIF, 225 tiles of 1 MP, 64 × 64 shown',
    make: () => avifOfTiles({ tileSide: 1_024, columns: 15, rows: 15, shown: 64 }),
  },
  { name: 'AVIF, 961 tiles', make: () => avifOfTiles({ tileSide: 192, columns: 31, rows: 31 }) },
  {
    name: 'AVIF, one tile used 10,000 times',
    make: () => avifOfTiles({ tileSide: 64, columns: 100, rows: 100, isOneItem: true }),
  },
  { name: 'TIFF, 10,000 directories', make: manyDirectories },
  { name: 'GIF, 10,000 frames', make: manyFrames },
];

/** A file in a format that the service does not read. Each directory points to the next one. */
function manyDirectories(): Buffer {
  const directories = Array.from({ length: 10_000 }, (_, index) => {
    const directory = Buffer.alloc(6);
    directory.writeUInt32LE(index < 9_999 ? 8 + 6 * (index + 1) : 0, 2);
    return directory;
  });
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), ...directories]);
}

function manyFrames(): Buffer {
  const screen = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const frame = Buffer.from(',\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1');
  return Buffer.concat([screen, ...Array<Buffer>(10_000).fill(frame), Buffer.from(';')]);
}

/** EXIF with a directory of many orientation-like entries. @param next offset of the next directory */
function exifOfEntries(count: number, next = 0): Buffer {
  const entry = (tag: number): Buffer =>
    Buffer.concat([Buffer.from([tag >> 8, tag & 255, 0, 3]), uint32(1), uint32(0x10000)]);
  const entries = Array.from({ length: count }, (_, index) => entry(0x0100 + (index % 0x7000)));
  const directory = Buffer.concat([Buffer.from([count >> 8, count & 255]), ...entries, uint32(next)]);
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0MM\0\x2a\0\0\0\x08', 'latin1'), directory]));
}

async function manyChunkedWebp(): Promise<Buffer> {
  const still = await pipelineOf(drawSolid(16, 16, [1, 2, 3, 4]))
    .withExif({})
    .webp()
    .toBuffer();
  const chunks = Buffer.concat(Array<Buffer>(65_000).fill(Buffer.from('teSt\0\0\0\0', 'latin1')));
  const file = Buffer.concat([still, chunks]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}
