import type { RawImage } from '#src/kernel/pixels.js';
import { blurred, lumaPlane, nearAbove, type Plane, slopes } from './planes.js';

/** A blur of this size removes details of 1 to 4 pixels. */
const FINE_SIGMA = 2;
/** Slopes per pixel, 0–255. Texture is less steep than the first, and edges are at least as steep as the second. */
const SLOPE = { texture: 10, edge: 20 } as const;
/** Minimum distance, in pixels, between texture and anything steeper. */
const APART = 3;
/** An edge counts as kept when its slope changes by at most this fraction. */
const KEPT = 0.05;

/** Sums over one picture. To combine pictures, add their sums. */
export interface TextureSums {
  /** Energy of the fine scale in plain skin, before and after. */
  readonly before: number;
  readonly after: number;
  /**
   * The number of edge pixels where the map is not 0 (eyes, lips, brows, hair, and outlines), and of those that were
   * kept.
   */
  readonly edges: number;
  readonly kept: number;
}

/** The texture and edges of a picture, for comparison with results. */
export class SkinTexture {
  private readonly fine: Float32Array;
  private readonly steep: Float32Array;
  private readonly isTexture: Uint8Array;

  /** @param map probability of skin for each pixel, 0–1 */
  constructor(
    picture: RawImage,
    private readonly map: Float32Array,
  ) {
    const luma = lumaPlane(picture);
    const steep = slopes(luma);
    const near = nearAbove(steep, SLOPE.texture, APART);
    this.fine = fineOf(luma);
    this.steep = steep.data;
    this.isTexture = Uint8Array.from(map, (value, at) => (value > 0.5 && near[at] === 0 ? 1 : 0));
  }

  compare(result: RawImage): TextureSums {
    const luma = lumaPlane(result);
    const [fine, steep] = [fineOf(luma), slopes(luma).data];
    const sums = { before: 0, after: 0, edges: 0, kept: 0 };
    for (let at = 0; at < fine.length; at++) {
      if (this.isTexture[at] === 1) {
        sums.before += this.fine[at]! ** 2;
        sums.after += fine[at]! ** 2;
      }
      if (this.map[at] === 0 || this.steep[at]! < SLOPE.edge) continue;
      sums.edges += 1;
      if (Math.abs(steep[at]! / this.steep[at]! - 1) <= KEPT) sums.kept += 1;
    }
    return sums;
  }
}

function fineOf(luma: Plane): Float32Array {
  const coarse = blurred(luma, FINE_SIGMA).data;
  return luma.data.map((value, at) => value - coarse[at]!);
}

/** The picture with its skin blurred: the simplest way to smooth skin. @param skin the map, 0–1 */
export function blurredSkin(picture: RawImage, skin: Float32Array): RawImage {
  const data = new Uint8Array(picture.data);
  const { width, height, channels } = picture;
  for (let channel = 0; channel < 3; channel++) {
    const plane = Float32Array.from(skin, (_, at) => picture.data[at * channels + channel]!);
    const soft = blurred({ data: plane, width, height }, FINE_SIGMA).data;
    for (let at = 0; at < plane.length; at++)
      data[at * channels + channel] = Math.round(plane[at]! + skin[at]! * (soft[at]! - plane[at]!));
  }
  return { ...picture, data };
}
