/** Handmade progressive JPEGs (ITU T.81 annex G), for scan counts that no encoder writes. */

const PRECISION = 8;
/** The longest run of empty blocks in one code: 2^15 − 1, from category 14. */
const LONGEST_RUN_CATEGORY = 14;

/** Writes bits, most significant first, with the stuffing of entropy-coded data. */
class BitWriter {
  private readonly bytes: number[] = [];
  private current = 0;
  private bits = 0;

  put(value: number, length: number): void {
    for (let bit = length - 1; bit >= 0; bit--) {
      this.current = (this.current << 1) | ((value >> bit) & 1);
      this.bits += 1;
      if (this.bits === 8) this.flush();
    }
  }

  /** The bytes so far; the last one is padded with ones. */
  end(): Buffer {
    while (this.bits > 0) this.put(1, 1);
    return Buffer.from(this.bytes);
  }

  private flush(): void {
    this.bytes.push(this.current);
    if (this.current === 0xff) this.bytes.push(0);
    this.current = 0;
    this.bits = 0;
  }
}

export const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
export const segment = (marker: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), uint16(body.length + 2), body]);

/**
 * A valid gray progressive JPEG: one scan for DC, then one for each bit of each AC coefficient until there are `scans`.
 * All its blocks are empty, so a scan takes a few bytes, but as much decoding time as any other.
 * @param shareOfData the share of the DC scan that is present, 0–1; below 1 the file ends early
 */
export function jpegOfScans(width: number, height: number, scans: number, shareOfData = 1): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const parts = [...headers(width, height), scan(0, 0, 0), zeros(Math.ceil(blocks * shareOfData))];
  for (let made = 1; made < scans; made++) {
    const coefficient = 1 + Math.floor((made - 1) / 14);
    const low = 13 - ((made - 1) % 14);
    parts.push(scan(coefficient, low === 13 ? 0 : low + 1, low), emptyBlocks(blocks));
  }
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, Buffer.from([0xff, 0xd9])]);
}

function headers(width: number, height: number): Buffer[] {
  const quantization = Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)]);
  const frame = Buffer.concat([Buffer.from([PRECISION]), uint16(height), uint16(width)]);
  // One code of each length: DC has only category 0; AC the runs of empty blocks, longest first.
  const dcTable = Buffer.concat([Buffer.from([0x00, 1]), Buffer.alloc(15), Buffer.from([0])]);
  const runs = Array.from({ length: 15 }, (_, index) => (LONGEST_RUN_CATEGORY - index) << 4);
  const acTable = Buffer.concat([
    Buffer.from([0x10]),
    Buffer.alloc(15, 1),
    Buffer.from([0]),
    Buffer.from(runs),
  ]);
  return [
    segment(0xdb, quantization),
    segment(0xc2, Buffer.concat([frame, Buffer.from([1, 1, 0x11, 0])])),
    segment(0xc4, dcTable),
    segment(0xc4, acTable),
  ];
}

/** The header of a scan over one coefficient, from its bit `high` (0: first scan) to its bit `low`. */
function scan(coefficient: number, high: number, low: number): Buffer {
  return segment(0xda, Buffer.from([1, 1, 0, coefficient, coefficient, (high << 4) | low]));
}

/** DC differences of 0: the code `0` each. */
export function zeros(blocks: number): Buffer {
  const writer = new BitWriter();
  for (let block = 0; block < blocks; block++) writer.put(0, 1);
  return writer.end();
}

/** Runs of empty blocks: category c has the code of c ones fewer than 14 and a zero, then c bits. */
export function emptyBlocks(blocks: number): Buffer {
  const writer = new BitWriter();
  for (let left = blocks; left > 0;) {
    const category = Math.min(LONGEST_RUN_CATEGORY, Math.floor(Math.log2(left)));
    const ones = LONGEST_RUN_CATEGORY - category;
    writer.put(2 ** (ones + 1) - 2, ones + 1);
    const run = Math.min(left, 2 ** (category + 1) - 1);
    writer.put(run - 2 ** category, category);
    left -= run;
  }
  return writer.end();
}
