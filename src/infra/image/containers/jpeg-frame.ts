import { damaged } from '../codec/refusals.js';

/** A color component of a frame: its number of blocks, from its sampling factors. */
interface Component {
  readonly horizontal: number;
  readonly vertical: number;
}

/** The frame header of a JPEG (ITU T.81 §B.2.2). */
export interface JpegFrame {
  /** Stored size, before EXIF orientation. */
  readonly width: number;
  readonly height: number;
  /** Minimum bytes of entropy-coded data for all of its pixels; 0 where no bound is known. */
  readonly minDataBytes: number;
}

/** C9, CA, CB, CD, CE, CF: arithmetic coding, which may use less than one bit per block. */
const isArithmetic = (marker: number): boolean => marker >= 0xc9;
/** C3, C7: lossless, which codes samples instead of blocks. */
const isLossless = (marker: number): boolean => marker === 0xc3 || marker === 0xc7;

/**
 * Reads a frame header.
 * @param segment the whole segment without its marker; its length field comes first
 * @throws AppError `undecodable_image`
 */
export function readJpegFrame(marker: number, segment: Buffer): JpegFrame {
  if (segment.length < 8) throw damaged('the JPEG frame header is too short');
  const [height, width] = [segment.readUInt16BE(3), segment.readUInt16BE(5)];
  if (width === 0 || height === 0) throw damaged('the JPEG has no width or height');
  const components = readComponents(segment);
  const hasBound = !isArithmetic(marker) && !isLossless(marker);
  // Huffman coding uses at least one bit for the DC coefficient of each block.
  const minDataBytes = hasBound ? Math.ceil(countBlocks(width, height, components) / 8) : 0;
  return { width, height, minDataBytes };
}

function readComponents(segment: Buffer): readonly Component[] {
  const count = segment[7]!;
  if (segment.length < 8 + 3 * count) throw damaged('the JPEG frame header is too short');
  return Array.from({ length: count }, (_, index) => {
    const factors = segment[8 + 3 * index + 1]!;
    const component = { horizontal: factors >> 4, vertical: factors & 15 };
    if (component.horizontal === 0 || component.vertical === 0)
      throw damaged('the JPEG has an invalid sampling factor');
    return component;
  });
}

/** Blocks of 8 × 8 samples in all components, without the padding of interleaved scans. */
function countBlocks(width: number, height: number, components: readonly Component[]): number {
  const most = (factors: readonly number[]): number => Math.max(1, ...factors);
  const horizontal = most(components.map((component) => component.horizontal));
  const vertical = most(components.map((component) => component.vertical));
  return components.reduce((sum, component) => {
    const across = Math.ceil((width * component.horizontal) / horizontal / 8);
    const down = Math.ceil((height * component.vertical) / vertical / 8);
    return sum + across * down;
  }, 0);
}
