import type { ByteReader } from '../containers/byte-reader.js';

/** Code of the type of a sequence header (AV1 specification §6.2.2). */
const SEQUENCE_HEADER = 1;
/** The range of a monochrome picture is among the first 40 bytes, even with the longest optional parts. */
const READ_BYTES = 64;
const SELECT_BY_FRAME = 2;

/**
 * Whether the coded data of a monochrome picture states full range: `color_range` of its sequence header (AV1
 * specification §5.5), which holds where the container states nothing.
 * @param at offset of the coded data
 * @returns undefined when the data does not start with a sequence header of a monochrome picture
 */
export async function isFullRangeSequence(reader: ByteReader, at: number): Promise<boolean | undefined> {
  const bytes = Buffer.from(await reader.read(at, Math.min(READ_BYTES, reader.sizeBytes - at)));
  const payload = sequenceHeaderIn(bytes);
  if (payload === undefined) return undefined;
  const bits = new Bits(payload);
  const profile = bits.read(3);
  bits.skip(1);
  const isReduced = bits.read(1) === 1;
  if (isReduced) bits.skip(5);
  else skipOperatingPoints(bits);
  const widthBits = bits.read(4) + 1;
  const heightBits = bits.read(4) + 1;
  bits.skip(widthBits + heightBits);
  if (!isReduced && bits.read(1) === 1) bits.skip(4 + 3);
  bits.skip(3);
  if (!isReduced) skipInterTools(bits);
  bits.skip(3);
  return readRange(bits, profile);
}

/** `color_config` (§5.5.2). */
function readRange(bits: Bits, profile: number): boolean | undefined {
  const isDeep = bits.read(1) === 1;
  if (profile === 2 && isDeep) bits.skip(1);
  const isMonochrome = profile !== 1 && bits.read(1) === 1;
  if (bits.read(1) === 1) bits.skip(3 * 8);
  const isFullRange = bits.read(1) === 1;
  return isMonochrome && !bits.isPastEnd ? isFullRange : undefined;
}

/** Timing, decoder model and operating points. */
function skipOperatingPoints(bits: Bits): void {
  let delayBits: number | undefined;
  if (bits.read(1) === 1) {
    bits.skip(64);
    if (bits.read(1) === 1) bits.skipVariableLength();
    if (bits.read(1) === 1) {
      delayBits = bits.read(5) + 1;
      bits.skip(32 + 5 + 5);
    }
  }
  const hasDelays = bits.read(1) === 1;
  for (let left = bits.read(5) + 1; left > 0 && !bits.isPastEnd; left--) {
    bits.skip(12);
    if (bits.read(5) > 7) bits.skip(1);
    if (delayBits !== undefined && bits.read(1) === 1) bits.skip(2 * delayBits + 1);
    if (hasDelays && bits.read(1) === 1) bits.skip(4);
  }
}

/** Tools for several frames, and for screen content. */
function skipInterTools(bits: Bits): void {
  bits.skip(4);
  const hasOrderHint = bits.read(1) === 1;
  if (hasOrderHint) bits.skip(2);
  const screenTools = bits.read(1) === 1 ? SELECT_BY_FRAME : bits.read(1);
  if (screenTools > 0 && bits.read(1) === 0) bits.skip(1);
  if (hasOrderHint) bits.skip(3);
}

/** The payload of the first sequence header; a temporal delimiter may precede it (§5.3). */
function sequenceHeaderIn(bytes: Buffer): Buffer | undefined {
  for (let at = 0; at + 2 <= bytes.length;) {
    const type = (bytes[at]! >> 3) & 15;
    const [hasExtension, hasSize] = [(bytes[at]! & 4) !== 0, (bytes[at]! & 2) !== 0];
    at += hasExtension ? 2 : 1;
    // A size of several bytes exceeds what was read, and a part without a size is the last one.
    const end = hasSize ? at + 1 + bytes[at++]! : bytes.length;
    if (type === SEQUENCE_HEADER) return bytes.subarray(at, end);
    at = end;
  }
  return undefined;
}

/** Reads bits, the highest of a byte first; zeros after the end. */
class Bits {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isPastEnd(): boolean {
    return this.at > 8 * this.bytes.length;
  }

  read(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left--, this.at++)
      value = 2 * value + (((this.bytes[this.at >> 3] ?? 0) >> (7 - (this.at & 7))) & 1);
    return value;
  }

  skip(count: number): void {
    this.at += count;
  }

  /** `uvlc`: as many bits as zeros precede the first one (§4.10.3). */
  skipVariableLength(): void {
    let zeros = 0;
    while (this.read(1) === 0 && !this.isPastEnd) zeros += 1;
    this.skip(zeros);
  }
}
