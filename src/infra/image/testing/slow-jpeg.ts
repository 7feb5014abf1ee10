import { emptyBlocks, segment, uint16, zeros } from './progressive-jpeg.js';

/** Handmade JPEGs that take a decoder as long as the format allows for files of a few megabytes. */

const SOI = Buffer.from([0xff, 0xd8]);
const EOI = Buffer.from([0xff, 0xd9]);
/** A quantization table of ones. */
const QUANTIZATION = segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)]));
/** DC: one code of one bit, for the category 0. */
const DC_TABLE = segment(0xc4, Buffer.concat([Buffer.from([0x00, 1]), Buffer.alloc(15), Buffer.from([0])]));
/** AC of a progressive scan: codes of 1 to 15 bits for runs of empty blocks, longest first. */
const RUN_TABLE = segment(
  0xc4,
  Buffer.concat([
    Buffer.from([0x10]),
    Buffer.alloc(15, 1),
    Buffer.from([0, ...Array.from({ length: 15 }, (_, index) => (14 - index) << 4)]),
  ]),
);
/** AC of a sequential scan: one code of one bit, for the end of the block. */
const END_TABLE = segment(0xc4, Buffer.concat([Buffer.from([0x10, 1]), Buffer.alloc(15), Buffer.from([0])]));

interface Frame {
  readonly width: number;
  readonly height: number;
  /** 1 (gray), 3, or 4 (CMYK); no subsampling. */
  readonly components: number;
}

const blocksOf = ({ width, height }: Frame): number => Math.ceil(width / 8) * Math.ceil(height / 8);

function frameHeader(marker: number, { width, height, components }: Frame): Buffer {
  const each = Array.from({ length: components }, (_, index) => Buffer.from([index + 1, 0x11, 0]));
  const counts = Buffer.concat([Buffer.from([8]), uint16(height), uint16(width), Buffer.from([components])]);
  return segment(marker, Buffer.concat([counts, ...each]));
}

interface Band {
  readonly first: number;
  readonly last: number;
  /** Bits: from `high` (0: first scan) to `low`. */
  readonly high: number;
  readonly low: number;
}

function scanHeader(components: readonly number[], { first, last, high, low }: Band): Buffer {
  const each = components.map((id) => Buffer.from([id, 0]));
  return segment(
    0xda,
    Buffer.concat([Buffer.from([components.length]), ...each, Buffer.from([first, last, (high << 4) | low])]),
  );
}

const idsOf = ({ components }: Frame): number[] =>
  Array.from({ length: components }, (_, index) => index + 1);

/**
 * A progressive JPEG whose scans refine all 63 AC coefficients of empty blocks: a decoder visits every coefficient of
 * every block in each of them.
 * @param isArithmetic arithmetic coding, whose decoder invents missing data
 */
export function jpegOfRefinements(frame: Frame, scans: number, isArithmetic = false): Buffer {
  const ids = idsOf(frame);
  const blocks = blocksOf(frame);
  const coded = (data: () => Buffer): Buffer => (isArithmetic ? Buffer.alloc(0) : data());
  const [dc, ac] = [coded(() => zeros(blocks * frame.components)), coded(() => emptyBlocks(blocks))];
  const parts = [scanHeader(ids, { first: 0, last: 0, high: 0, low: 0 }), dc];
  for (let made = 1; made < scans; made++) {
    const round = Math.floor((made - 1) / frame.components);
    const low = Math.max(0, 13 - round);
    const band = { first: 1, last: 63, high: round === 0 ? 0 : low + 1, low };
    parts.push(scanHeader([ids[(made - 1) % ids.length]!], band), ac);
  }
  const header = frameHeader(isArithmetic ? 0xca : 0xc2, frame);
  return Buffer.concat([SOI, QUANTIZATION, header, DC_TABLE, RUN_TABLE, ...parts, EOI]);
}

/** A sequential JPEG of empty blocks. @param restartEvery blocks between restart markers; 0: none */
export function jpegOfEmptyBlocks(frame: Frame, restartEvery = 0): Buffer {
  const blocks = blocksOf(frame);
  const ids = idsOf(frame);
  const interval = segment(0xdd, uint16(restartEvery));
  const header = [QUANTIZATION, frameHeader(0xc0, frame), DC_TABLE, END_TABLE, interval];
  const scan = scanHeader(ids, { first: 0, last: 63, high: 0, low: 0 });
  // Two bits for each block: DC of category 0, then the end of the block.
  const bits = 2 * frame.components;
  if (restartEvery === 0) return Buffer.concat([SOI, ...header, scan, zeros(bits * blocks), EOI]);
  const unit = zeros(bits * restartEvery);
  const intervals = Array.from({ length: Math.ceil(blocks / restartEvery) }, (_, index) =>
    index === 0 ? unit : Buffer.concat([Buffer.from([0xff, 0xd0 + ((index - 1) % 8)]), unit]),
  );
  return Buffer.concat([SOI, ...header, scan, ...intervals, EOI]);
}

/** A sequential arithmetic-coded JPEG without any data. */
export function arithmeticJpeg(frame: Frame): Buffer {
  const scan = scanHeader(idsOf(frame), { first: 0, last: 63, high: 0, low: 0 });
  return Buffer.concat([SOI, QUANTIZATION, frameHeader(0xc9, frame), scan, EOI]);
}

/** A JPEG with segments before its own. */
export function withSegments(file: Buffer, segments: readonly Buffer[]): Buffer {
  return Buffer.concat([file.subarray(0, 2), ...segments, file.subarray(2)]);
}

/** EXIF with many pointers from the first directory to itself. Each makes a reader read all of them again. */
export function exifOfPointers(): Buffer {
  const count = 5_400;
  const pointer = Buffer.from([0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8]);
  const head = Buffer.from('Exif\0\0MM\0\x2a\0\0\0\x08', 'latin1');
  return segment(
    0xe1,
    Buffer.concat([head, uint16(count), ...Array<Buffer>(count).fill(pointer), Buffer.alloc(4)]),
  );
}

/** Repeats one segment. */
export function manySegments(marker: number, body: Buffer, count: number): Buffer[] {
  return Array<Buffer>(count).fill(segment(marker, body));
}
