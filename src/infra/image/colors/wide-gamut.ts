/**
 * Color spaces larger than sRGB, by their primaries as code points (ITU-T H.273, table 2): the colorants of a profile
 * (X, Y and Z of red, green and blue, adapted to D50 by the Bradford matrix).
 */
const COLORANTS = {
  /** BT.2020 */
  9: [
    [0.67348, 0.27904, -0.00193],
    [0.16567, 0.67534, 0.02998],
    [0.12505, 0.04561, 0.79685],
  ],
  /** Display P3 */
  12: [
    [0.51512, 0.24119, -0.00105],
    [0.29198, 0.69224, 0.04188],
    [0.1571, 0.06657, 0.78407],
  ],
} as const;

export type WidePrimaries = keyof typeof COLORANTS;

/**
 * Transfer characteristics (table 3) that are those of sRGB or close to them: BT.709, unspecified, gamma 2.2, BT.601,
 * sRGB, and BT.2020 with 10 and 12 bits. The library reads all of them as sRGB when the primaries are those of sRGB.
 */
const LIKE_SRGB: ReadonlySet<number> = new Set([1, 2, 4, 6, 13, 14, 15]);

/** The primaries that need a profile, if these code points state such. */
export function widePrimariesOf(primaries: number, transfer: number): WidePrimaries | undefined {
  if (!LIKE_SRGB.has(transfer)) return undefined;
  return primaries === 9 || primaries === 12 ? primaries : undefined;
}

const HEADER_BYTES = 128;
const D50 = [0.9642, 1, 0.8249] as const;
/** The curve of sRGB as an ICC function of type 3: gamma, a, b, c, d. */
const SRGB_CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const;

/** An ICC profile (version 4.2) of these primaries, with the curve of sRGB. */
export function wideProfile(primaries: WidePrimaries): Buffer {
  const [red, green, blue] = COLORANTS[primaries].map((color) => tag('XYZ ', color));
  const name = text('Wide');
  const curve = tag('para', SRGB_CURVE, Buffer.from([0, 3, 0, 0]));
  const tags = [
    ['desc', name],
    ['cprt', name],
    ['wtpt', tag('XYZ ', D50)],
    ['rXYZ', red!],
    ['gXYZ', green!],
    ['bXYZ', blue!],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ] as const;
  const bodies = [...new Set(tags.map(([, body]) => body))];
  const index = Buffer.alloc(4 + 12 * tags.length);
  const startOf = (body: Buffer): number =>
    bodies
      .slice(0, bodies.indexOf(body))
      .reduce((sum, { length }) => sum + length, HEADER_BYTES + index.length);
  index.writeUInt32BE(tags.length);
  for (const [row, [signature, body]] of tags.entries()) {
    index.write(signature, 4 + 12 * row, 'latin1');
    index.writeUInt32BE(startOf(body), 8 + 12 * row);
    index.writeUInt32BE(body.length, 12 + 12 * row);
  }
  const sizeBytes = startOf(bodies.at(-1)!) + bodies.at(-1)!.length;
  return Buffer.concat([header(sizeBytes), index, ...bodies]);
}

/** ICC.1:2010 §7.2. */
function header(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32BE(sizeBytes, 0);
  bytes.writeUInt32BE(0x0420_0000, 8);
  bytes.write('mntrRGB XYZ ', 12, 'latin1');
  bytes.write('acsp', 36, 'latin1');
  fixed(D50).copy(bytes, 68);
  return bytes;
}

const tag = (type: string, numbers: readonly number[], before: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([Buffer.from(`${type}\0\0\0\0`, 'latin1'), before, fixed(numbers)]);

/** `s15Fixed16Number` */
function fixed(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(Math.round(number * 65_536), 4 * index);
  return bytes;
}

/** `mluc` with one English text of an even number of letters. */
function text(letters: string): Buffer {
  const head = Buffer.alloc(28);
  head.write('mluc', 0, 'latin1');
  head.writeUInt32BE(1, 8);
  head.writeUInt32BE(12, 12);
  head.write('enUS', 16, 'latin1');
  head.writeUInt32BE(2 * letters.length, 20);
  head.writeUInt32BE(head.length, 24);
  return Buffer.concat([head, Buffer.from(letters, 'utf16le').swap16()]);
}
