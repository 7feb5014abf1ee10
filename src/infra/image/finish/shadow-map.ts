import type { PixelSource } from '../../../kernel/pixels.js';
import { libvips } from '../codec/libvips.js';
import { stripsOf } from './strips.js';

/** A shadow in pixels of the picture. */
export interface ShadowPixels {
  /** 0–1. */
  readonly opacity: number;
  /** Standard deviation of the blur. */
  readonly blurPixels: number;
  readonly offsetXPixels: number;
  readonly offsetYPixels: number;
}

/** Maximum pixels of the blurred matte. It is enlarged smoothly, so a shadow needs no more. */
const MAX_MAP_PIXELS = 2 ** 21;
/** A blur of this many map pixels hides that the map is enlarged. */
const MAP_BLUR = 4;
/** Where a Gaussian is cut off, in standard deviations. */
const REACH = 3;
/** The library's minimum blur. */
const MIN_BLUR = 0.3;

/** The blurred matte of a subject, at reduced size. */
export class ShadowMap {
  private constructor(
    private readonly map: Uint8Array,
    private readonly width: number,
    private readonly height: number,
    /** Picture pixels of each map pixel. */
    private readonly step: number,
    /** Map pixels around the picture on each side. */
    private readonly margin: number,
    private readonly shadow: ShadowPixels,
  ) {}

  /**
   * Draws the shadow of an RGBA image. Beyond the edges of the picture, the subject continues with its edge pixels.
   * @param signal stops the work between strips
   */
  static async of(image: PixelSource, shadow: ShadowPixels, signal?: AbortSignal): Promise<ShadowMap> {
    const step = Math.max(
      1,
      Math.floor(shadow.blurPixels / MAP_BLUR),
      Math.ceil(Math.sqrt((image.width * image.height) / MAX_MAP_PIXELS)),
    );
    const blur = shadow.blurPixels / step;
    const margin = Math.ceil(REACH * blur) + 1;
    const inner = await reducedAlpha(image, step, signal);
    const padded = withMargin(inner, margin);
    const data = blur < MIN_BLUR ? padded.data : await blurred(padded, blur);
    return new ShadowMap(data, padded.width, padded.height, step, margin, shadow);
  }

  /**
   * The shadow of one row.
   * @param x, y where the row starts, in pixels of the picture; may be outside the picture
   * @param into opacity 0–1 of each pixel
   */
  readRow(x: number, y: number, into: Float32Array): void {
    const { map, width, height, shadow } = this;
    const [atY, weightY] = this.mapped(y - shadow.offsetYPixels, height);
    const upper = atY * width;
    const lower = Math.min(atY + 1, height - 1) * width;
    const [above, below] = [1 - weightY, weightY].map((weight) => (weight * shadow.opacity) / 255);
    const last = width - 1;
    const step = 1 / this.step;
    let exact = (x - shadow.offsetXPixels + 0.5) * step - 0.5 + this.margin;
    for (let column = 0; column < into.length; column++, exact += step) {
      const inside = exact < 0 ? 0 : exact > last ? last : exact;
      const at = inside | 0;
      const next = at === last ? last : at + 1;
      const weight = inside - at;
      const left = map[upper + at]! * above! + map[lower + at]! * below!;
      const right = map[upper + next]! * above! + map[lower + next]! * below!;
      into[column] = left + (right - left) * weight;
    }
  }

  /** The map pixel at or before a picture coordinate, and the weight of the next one. */
  private mapped(coordinate: number, size: number): readonly [number, number] {
    const exact = Math.min(size - 1, Math.max(0, (coordinate + 0.5) / this.step - 0.5 + this.margin));
    const at = Math.floor(exact);
    return [at, exact - at];
  }
}

interface Plane {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The mean alpha of each block of `step` × `step` pixels. */
async function reducedAlpha(image: PixelSource, step: number, signal?: AbortSignal): Promise<Plane> {
  const width = Math.ceil(image.width / step);
  const height = Math.ceil(image.height / step);
  const sums = new Uint32Array(width * height);
  for (const strip of stripsOf(image)) {
    signal?.throwIfAborted();
    const rows = new Uint8Array(image.width * strip.height * 4);
    await image.read({ x: 0, y: strip.y, width: image.width, height: strip.height }, rows);
    let at = 3;
    for (let row = 0; row < strip.height; row++) {
      const start = Math.floor((strip.y + row) / step) * width;
      for (let column = 0; column < width; column++) {
        const end = at + Math.min(step, image.width - column * step) * 4;
        let sum = 0;
        for (; at < end; at += 4) sum += rows[at]!;
        sums[start + column]! += sum;
      }
    }
  }
  const data = new Uint8Array(sums.length);
  for (let y = 0, at = 0; y < height; y++) {
    const blockRows = Math.min(step, image.height - y * step);
    for (let x = 0; x < width; x++, at++)
      data[at] = Math.round(sums[at]! / (blockRows * Math.min(step, image.width - x * step)));
  }
  return { data, width, height };
}

/** Repeats the pixels at the edges outward. */
function withMargin({ data, width, height }: Plane, margin: number): Plane {
  const padded = { width: width + 2 * margin, height: height + 2 * margin };
  const rows = new Uint8Array(padded.width * padded.height);
  for (let y = 0; y < padded.height; y++) {
    const from = Math.min(height - 1, Math.max(0, y - margin)) * width;
    const at = y * padded.width;
    rows.fill(data[from]!, at, at + margin);
    rows.set(data.subarray(from, from + width), at + margin);
    rows.fill(data[from + width - 1]!, at + margin + width, at + padded.width);
  }
  return { ...padded, data: rows };
}

async function blurred({ data, width, height }: Plane, sigma: number): Promise<Uint8Array> {
  return libvips()(data, { raw: { width, height, channels: 1 } })
    .blur({ sigma, precision: 'float' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
}
