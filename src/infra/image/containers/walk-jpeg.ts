import type { ByteReader } from './byte-reader.js';
import { type JpegFrame, readJpegFrame } from './jpeg-frame.js';
import { damaged } from '../codec/refusals.js';
import { type ImageStructure, PartCount } from './structure.js';

const TEM = 0x01;
const FILL = 0xff;
const RST0 = 0xd0;
const RST7 = 0xd7;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;

/**
 * A decoder visits every block once per scan, however little data a scan contains, so its time grows with the number of
 * scans instead of the file's size. Encoders write up to a dozen; the finest progression of a color image has fewer
 * than a hundred.
 */
export const MAX_SCANS = 100;

/**
 * C0–CF start a frame, except for Huffman tables (C4), an extension (C8), and arithmetic conditioning (CC).
 */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/**
 * Walks the marker segments of a JPEG (ITU T.81 annex B) from the first to the end marker, including entropy-coded
 * data, because a truncated upload lacks its end marker. As lenient as decoders are: skips filler between segments and
 * ignores everything after the end marker (a second picture, a trailer).
 * @throws AppError `undecodable_image`, also for too many scans
 */
export async function walkJpeg(reader: ByteReader): Promise<ImageStructure> {
  const parts = new PartCount();
  const scans = new Scans();
  let offset = 2;
  let frame: JpegFrame | undefined;
  let headerBytes: number | undefined;
  for (;;) {
    await parts.add();
    const { marker, end } = await nextMarker(reader, offset);
    scans.endAt(end - 2);
    if (marker === EOI) break;
    if (marker === SOI) throw damaged('the JPEG contains a second start marker');
    const length = (await reader.read(end, 2)).readUInt16BE(0);
    if (length < 2) throw damaged('a JPEG segment has an invalid length');
    if (end + length > reader.sizeBytes) throw damaged('the file is truncated');
    if (isFrameHeader(marker)) frame = readJpegFrame(marker, await reader.read(end, length));
    if (marker === SOS) {
      if (frame === undefined) throw damaged('a JPEG scan comes before its frame header');
      headerBytes ??= end + length;
      scans.beginAt(end + length);
    }
    offset = end + length;
  }
  if (frame === undefined || headerBytes === undefined) throw damaged('the JPEG has no image data');
  const { width, height, minDataBytes } = frame;
  const size = { width, height };
  return { animated: false, size, headerBytes, dataBytes: scans.dataBytes, minDataBytes };
}

/** Counts the scans of a JPEG and the bytes of entropy-coded data in them. */
class Scans {
  count = 0;
  dataBytes = 0;
  private begin: number | undefined;

  beginAt(offset: number): void {
    this.count += 1;
    if (this.count > MAX_SCANS)
      throw damaged(`the JPEG has more than ${MAX_SCANS} scans. Save it as a baseline JPEG`);
    this.begin = offset;
  }

  /** Ends the open scan, if any. */
  endAt(offset: number): void {
    if (this.begin !== undefined) this.dataBytes += Math.max(0, offset - this.begin);
    this.begin = undefined;
  }
}

/**
 * The next meaningful marker at or after `offset`: FF and a byte that is neither stuffing (00), fill (FF), a restart
 * marker, nor TEM. Works between segments and inside entropy-coded data.
 */
async function nextMarker(reader: ByteReader, offset: number): Promise<{ marker: number; end: number }> {
  // The last byte of one window may be the FF of a marker in the next.
  let afterFill = false;
  for (let at = offset; ;) {
    const window = await reader.windowAt(at);
    if (window.length === 0) throw damaged('the file is truncated: the JPEG has no end marker');
    for (let next = afterFill ? endOfFill(window, 0) : pastFill(window, 0); next < window.length;) {
      const marker = window[next]!;
      if (hasMeaning(marker)) return { marker, end: at + next + 1 };
      next = pastFill(window, next + 1);
    }
    afterFill = window.at(-1) === FILL;
    at += window.length;
  }
}

/** Calling a native search costs as much as comparing this many bytes. */
const NEAR_BYTES = 16;

/**
 * The offset after the next run of FFs at or after `from`, or the length of the window. Files of many short runs cost
 * no native search for each.
 */
function pastFill(window: Buffer, from: number): number {
  const near = Math.min(from + NEAR_BYTES, window.length);
  for (let at = from; at < near; at++) if (window[at] === FILL) return endOfFill(window, at + 1);
  const found = window.indexOf(FILL, near);
  return found === -1 ? window.length : endOfFill(window, found + 1);
}

/** The offset of the first byte at or after `from` that is not FF. */
function endOfFill(window: Buffer, from: number): number {
  let at = from;
  while (at < window.length && window[at] === FILL) at += 1;
  return at;
}

const hasMeaning = (marker: number): boolean =>
  marker > TEM && marker < FILL && (marker < RST0 || marker > RST7);
