import type { PixelSink, PixelSource, Region } from '../../../kernel/pixels.js';
import { stripsOf } from './strips.js';

/** The smallest alpha that may belong to the subject, for example of a hair: 4%. */
const FAINT = 10;
/** Alpha between these is uncertain: 10% to 90%. */
const UNCERTAIN = { above: 25, below: 230 } as const;
const HALF = 128;
/** Faint pixels farther from the solid subject than this share of its longer side are haze of the model, not hair. */
const MAX_HAIR = 0.1;

/** The transparency of an image, summarized. */
export interface Matte {
  /** The smallest rectangle around the subject with its hair; null when the image shows none. */
  readonly subject: Region | null;
  /** The confidence of the matte, 0–1; see `confidenceOf`. */
  readonly confidence: number;
}

/** Counts of a matte. */
export interface MatteCounts {
  /** Pixels whose alpha is at least 50%. */
  readonly solid: number;
  /** The sum of their alpha, 0–255 each. */
  readonly solidAlpha: number;
  /** Pixels whose alpha is between 10% and 90%. */
  readonly uncertain: number;
}

/**
 * The confidence of a matte, from 0 to 1: the mean alpha of the subject (the pixels with at least 50%), times the share
 * of the subject that remains after subtracting the area of the uncertain band (10% to 90%). Near 1 means a solid
 * subject with narrow edges. Near 0 means no subject, or one that the model could not separate from its background.
 */
export function confidenceOf({ solid, solidAlpha, uncertain }: MatteCounts): number {
  if (solid === 0) return 0;
  const meanAlpha = solidAlpha / (255 * solid);
  return Math.round(meanAlpha * Math.max(0, 1 - uncertain / solid) * 1000) / 1000;
}

export interface ReadMatteOptions {
  /** Stops reading between strips. */
  readonly signal?: AbortSignal | undefined;
  /** The same image. Its transparent pixels become black, which hides their content. Default: no change. */
  readonly clear?: PixelSink | undefined;
}

/** Reads the alpha channel of an RGBA image. */
export async function readMatte(
  image: PixelSource,
  { signal, clear }: ReadMatteOptions = {},
): Promise<Matte> {
  const { width } = image;
  const reader = new MatteReader();
  for (const { y, height } of stripsOf(image)) {
    signal?.throwIfAborted();
    const rows = new Uint8Array(width * height * 4);
    await image.read({ x: 0, y, width, height }, rows);
    if (clear !== undefined && clearTransparent(rows)) await clear.write({ x: 0, y, width, height }, rows);
    for (let row = 0; row < height; row++)
      reader.readRow(rows.subarray(row * width * 4, (row + 1) * width * 4), y + row);
  }
  return { subject: reader.subject(), confidence: confidenceOf(reader) };
}

/** Makes transparent pixels of RGBA rows black. @returns whether any pixel changed */
function clearTransparent(rows: Uint8Array): boolean {
  const pixels = new Uint32Array(rows.buffer, rows.byteOffset, rows.length / 4);
  let isChanged = false;
  for (let at = 0; at < pixels.length; at++) {
    if (rows[at * 4 + 3] !== 0 || pixels[at] === 0) continue;
    pixels[at] = 0;
    isChanged = true;
  }
  return isChanged;
}

/** A bounding box. The last row and column are inside it. */
class Box {
  left = Infinity;
  top = -1;
  right = -1;
  bottom = -1;

  /** Adds a part of a row, or nothing if the part is -1. */
  add(first: number, last: number, y: number): void {
    if (last === -1) return;
    this.left = Math.min(this.left, first);
    this.right = Math.max(this.right, last);
    if (this.top === -1) this.top = y;
    this.bottom = y;
  }

  get isEmpty(): boolean {
    return this.top === -1;
  }
}

class MatteReader implements MatteCounts {
  solid = 0;
  solidAlpha = 0;
  uncertain = 0;
  private readonly core = new Box();
  private readonly faint = new Box();

  readRow(row: Uint8Array, y: number): void {
    let [faintFirst, faintLast, coreFirst, coreLast] = [-1, -1, -1, -1];
    for (let at = 3, x = 0; at < row.length; at += 4, x++) {
      const alpha = row[at]!;
      if (alpha < FAINT) continue;
      if (faintFirst === -1) faintFirst = x;
      faintLast = x;
      if (alpha > UNCERTAIN.above && alpha < UNCERTAIN.below) this.uncertain++;
      if (alpha < HALF) continue;
      if (coreFirst === -1) coreFirst = x;
      coreLast = x;
      this.solid++;
      this.solidAlpha += alpha;
    }
    this.faint.add(faintFirst, faintLast, y);
    this.core.add(coreFirst, coreLast, y);
  }

  subject(): Region | null {
    const { core, faint } = this;
    if (faint.isEmpty) return null;
    if (core.isEmpty) return regionOf(faint);
    const reach = Math.ceil(MAX_HAIR * Math.max(core.right - core.left, core.bottom - core.top));
    return regionOf({
      left: Math.max(faint.left, core.left - reach),
      top: Math.max(faint.top, core.top - reach),
      right: Math.min(faint.right, core.right + reach),
      bottom: Math.min(faint.bottom, core.bottom + reach),
    });
  }
}

function regionOf({ left, top, right, bottom }: Pick<Box, 'left' | 'top' | 'right' | 'bottom'>): Region {
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
